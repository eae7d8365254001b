# The SPDX document from the rows that ci/dist/sbom has gathered. Nothing here knows what a release holds.

def rows(text): text | split("\n") | map(select(. != "") | split("\t"));
def id(words): "SPDXRef-" + (words | join("-") | gsub("[^a-zA-Z0-9.]+"; "-"));
def relation(from; type; to): {spdxElementId: from, relationshipType: type, relatedSpdxElement: to};

rows($packages) as $packages
| (rows($files) | to_entries | map(.value + [id(["file", (.key + 1 | tostring)])])) as $files
| (rows($tools) | map({relation: .[1], package: .[0], name: .[2], version: .[3], said: .[4], id: id(["tool", .[2], .[3]])})) as $tools
| ($source | sub("^landlock-run-"; "")) as $version
| {
	spdxVersion: "SPDX-2.3",
	dataLicense: "CC0-1.0",
	SPDXID: "SPDXRef-DOCUMENT",
	name: $source,
	documentNamespace: "https://spdx.org/spdxdocs/\($source)-\($identity)",
	creationInfo: {created: $created, creators: ["Tool: landlock-run-release-\($version)"]},
	packages: (
		($packages | map(. as [$name, $sum] | {
			SPDXID: id(["package", $name]),
			name: (if $name == $source then "landlock-run (source)" else "landlock-run for \($name | ltrimstr($source + "-"))" end),
			versionInfo: $version,
			packageFileName: "\($name).tar.gz",
			primaryPackagePurpose: (if $name == $source then "SOURCE" else "APPLICATION" end),
			downloadLocation: "NOASSERTION",
			filesAnalyzed: true,
			packageVerificationCode: {packageVerificationCodeValue: $codes[0][$name]},
			checksums: [{algorithm: "SHA256", checksumValue: $sum}],
			licenseConcluded: "MIT",
			licenseDeclared: "MIT",
			licenseInfoFromFiles: ["MIT"],
			copyrightText: $copyright,
			supplier: "Organization: the landlock-run maintainers",
			originator: "Organization: the landlock-run maintainers"
		}))
		+ ($tools | unique_by(.id) | map({
			SPDXID: .id,
			name: .name,
			versionInfo: .version,
			comment: .said,
			downloadLocation: "NOASSERTION",
			filesAnalyzed: false,
			licenseConcluded: "NOASSERTION",
			licenseDeclared: "NOASSERTION",
			copyrightText: "NOASSERTION"
		}))
	),
	files: ($files | map(. as [$package, $path, $sha1, $sha256, $kind, $id] | {
		SPDXID: $id,
		fileName: $path,
		fileTypes: [$kind],
		checksums: [{algorithm: "SHA1", checksumValue: $sha1}, {algorithm: "SHA256", checksumValue: $sha256}],
		licenseConcluded: "MIT",
		licenseInfoInFiles: ["MIT"],
		copyrightText: $copyright
	})),
	relationships: (
		($packages | map(relation("SPDXRef-DOCUMENT"; "DESCRIBES"; id(["package", .[0]]))))
		+ ($packages | map(select(.[0] != $source) | relation(id(["package", .[0]]); "GENERATED_FROM"; id(["package", $source]))))
		+ ($files | map(relation(id(["package", .[0]]); "CONTAINS"; .[5])))
		+ ($tools | map(relation(.id; .relation; id(["package", .package]))))
		# The shared library is the one file that needs another's at run time.
		+ ([$files[] as $file | $tools[]
			| select(($file[1] | test("\\.so\\.")) and $file[0] == .package and .relation == "BUILD_DEPENDENCY_OF")
			| relation($file[5]; "DYNAMIC_LINK"; .id)])
	)
}
