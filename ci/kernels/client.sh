# The package client with a state folder of its own, for the scripts here to source.
# It must never touch the machine's own lists and packages, and never name a host.
# shellcheck shell=bash

# The Debian name of an architecture of ours.
debian_arch() {
	case $1 in
	x86_64) echo amd64 ;;
	aarch64) echo arm64 ;;
	*) echo "$1" ;;
	esac
}

# Two addresses from the machine's own package sources: of the archive, and of its security
# suites. They are those of a release that has both; nothing when there is none. The machine's
# lists are not read: a new machine has none yet.
machine_mirrors() {
	apt-get --print-uris update 2>/dev/null | awk -F "['/]dists/|/InRelease'" '
		/^.http.*InRelease|^.file:.*InRelease|^.copy:.*InRelease/ {
			sub(/^./, "", $1)
			if (!($2 in address))
				address[$2] = $1
		}
		END {
			for (suite in address) {
				release = suite
				if (sub(/-security$/, "", release) && release in address) {
					print address[release], address[suite]
					exit
				}
			}
		}'
}

# client_setup FOLDER SUITE:ARCH...: writes the client's settings and sources.
client_setup() {
	local folder=$1 wanted archive security address suite keyring
	local -A arches=()
	shift
	keyring=${LANDLOCK_RUN_KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}
	read -r archive security < <(machine_mirrors) || :
	if [ -z "$security" ]; then
		echo "the machine's package sources name no release together with its security suite" >&2
		return 1
	fi

	mkdir -p "$folder/lists/partial" "$folder/archives/partial" "$folder/none"
	: >"$folder/status"
	for wanted; do
		arches[${wanted%:*}]+=,$(debian_arch "${wanted#*:}")
	done
	for suite in "${!arches[@]}"; do
		case $suite in
		*-security) address=$security ;;
		*) address=$archive ;;
		esac
		echo "deb [signed-by=$keyring arch=${arches[$suite]#,}] $address $suite main"
	done >"$folder/sources.list"

	cat >"$folder/apt.conf" <<-EOF
		#clear APT::Update::Post-Invoke;
		#clear APT::Update::Post-Invoke-Success;
		#clear APT::Architectures;
		APT::Architectures { "amd64"; "arm64"; "riscv64"; };
		APT::Sandbox::User "$(id -un)";
		APT::Update::Error-Mode "any";
		Acquire::Languages "none";
		Acquire::Retries "2";
		Acquire::http::Timeout "20";
		Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
		Acquire::IndexTargets::deb::CNF::DefaultEnabled "false";
		Dir::State "$folder";
		Dir::State::lists "lists";
		Dir::State::status "$folder/status";
		Dir::Cache "$folder";
		Dir::Cache::archives "archives";
		Dir::Cache::pkgcache "pkgcache.bin";
		Dir::Cache::srcpkgcache "";
		Dir::Etc::sourcelist "$folder/sources.list";
		Dir::Etc::sourceparts "$folder/none";
		Dir::Etc::preferences "$folder/none/preferences";
		Dir::Etc::preferencesparts "$folder/none";
	EOF
}

# client FOLDER APT-GET-ARGUMENT...
client() {
	local folder=$1
	shift
	LC_ALL=C apt-get -q -c "$folder/apt.conf" "$@"
}

# client_index FOLDER REGEX: what the fetched lists offer under names that match REGEX, one
# line each: suite, Debian architecture, package, version, size, SHA-256, path in the archive.
client_index() {
	local folder=$1 regex=$2 list suite
	for list in "$folder"/lists/*_dists_*_main_binary-*_Packages*; do
		suite=${list##*_dists_}
		suite=${suite%%_main_binary-*}
		/usr/lib/apt/apt-helper cat-file "$list" |
			awk -v RS= -v FS='\n' -v OFS='\t' -v suite="$suite" -v regex="^Package: ($regex)\n" '
				$0 ~ regex {
					delete at
					for (i = 1; i <= NF; i++) {
						split($i, word, " ")
						at[word[1]] = word[2]
					}
					print suite, at["Architecture:"], at["Package:"], at["Version:"],
						at["Size:"], at["SHA256:"], at["Filename:"]
				}'
	done
}
