# A small signed package archive in a folder, for the tests of the fetcher to source.
# It must never reach beyond its folder: no network, no settings of the machine.
# shellcheck shell=bash
: "${archive:?the folder, set before this is sourced}"

# archive_key NAME: makes a key and its keyring $archive/NAME.gpg.
archive_key() {
	mkdir -p "$archive/keys"
	chmod 700 "$archive/keys"
	gpg --homedir "$archive/keys" --batch -q --passphrase '' --quick-gen-key "$1@archive.invalid" rsa2048 sign never 2>/dev/null
	gpg --homedir "$archive/keys" --batch -q --export "$1@archive.invalid" >"$archive/$1.gpg"
}

archive_end() {
	gpgconf --homedir "$archive/keys" --kill all 2>/dev/null || :
}

# archive_package SUITE PACKAGE VERSION BYTES PATH TEXT: adds a package with one file, which begins
# with TEXT and is BYTES long.
archive_package() {
	local suite=$1 package=$2 version=$3 bytes=$4 path=$5 text=$6
	local tree=$archive/tree deb=pool/${package}_${version}_amd64.deb
	rm -rf "$tree"
	mkdir -p "$tree/DEBIAN" "$tree/${path%/*}" "$archive/mirror/pool" "$archive/lists/$suite"
	printf '%s\n' "$text" >"$tree/$path"
	truncate -s "$bytes" "$tree/$path"
	chmod 755 "$tree/$path"
	printf 'Package: %s\nVersion: %s\nArchitecture: amd64\nMaintainer: Test <test@archive.invalid>\nDescription: test\n' \
		"$package" "$version" >"$tree/DEBIAN/control"
	dpkg-deb --root-owner-group -Znone -b "$tree" "$archive/mirror/$deb" >/dev/null
	{
		cat "$tree/DEBIAN/control"
		echo "Filename: $deb"
		echo "Size: $(stat -c %s "$archive/mirror/$deb")"
		echo "SHA256: $(sha256sum "$archive/mirror/$deb" | cut -d ' ' -f 1)"
		echo
	} >>"$archive/lists/$suite/Packages"
}

# archive_publish KEY SUITE...: writes and signs the suites' lists.
archive_publish() {
	local key=$1 suite folder list
	shift
	for suite; do
		folder=$archive/mirror/dists/$suite
		list=main/binary-amd64/Packages
		mkdir -p "$folder/${list%/*}"
		cat "$archive/lists/$suite/Packages" >"$folder/$list"
		{
			printf 'Origin: Test\nSuite: %s\nCodename: %s\nDate: %s\nArchitectures: amd64\nComponents: main\nSHA256:\n' \
				"$suite" "$suite" "$(LC_ALL=C date -Ru | sed 's/+0000/UTC/')"
			echo " $(sha256sum "$folder/$list" | cut -d ' ' -f 1) $(stat -c %s "$folder/$list") $list"
		} >"$archive/Release"
		rm -f "$folder/InRelease"
		gpg --homedir "$archive/keys" --batch -q --passphrase '' -u "$key@archive.invalid" \
			--clearsign -o "$folder/InRelease" "$archive/Release"
	done
}

# archive_machine ADDRESS: the settings of a machine whose package sources name that address.
archive_machine() {
	printf 'deb %s stable main\ndeb %s stable-security main\n' "$1" "$1" >"$archive/machine.list"
	cat >"$archive/machine.conf" <<-EOF
		Dir::Etc::sourcelist "$archive/machine.list";
		Dir::Etc::sourceparts "$archive/none";
	EOF
	export APT_CONFIG=$archive/machine.conf
}
