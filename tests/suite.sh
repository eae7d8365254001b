# Tests that are commands, and what they came to in the lines that the test runner reads; to be sourced.
# A test passes when its command ends with 0, and stops at the first line of it that fails. Judges nothing else.
# shellcheck shell=bash

passed=0 failed=0 skipped=0

check() { # NAME COMMAND...: a function of the script, or any command
	local name=$1 errexit=${-//[^e]/} status said
	shift
	# Not in a condition, where bash would pass over what fails inside.
	set +e
	said=$(
		set -eE
		trap 'status=$?; echo "${BASH_SOURCE[0]##*/}:$LINENO: $BASH_COMMAND: status $status"' ERR
		"$@" 2>&1 </dev/null
	)
	status=$?
	[ -z "$errexit" ] || set -e
	if [ "$status" = 0 ]; then
		echo "ok $name"
		passed=$((passed + 1))
	else
		echo "FAIL $name: $0: $*: status $status"
		printf '%s\n' "$said" | tail -n 20 | sed 's/^/     /'
		failed=$((failed + 1))
	fi
}

# For a command that must fail: a `!` would be passed over where it is not the last line.
not() { # COMMAND...
	! "$@"
}

skip() { # NAME REASON
	echo "skip $1: $2"
	skipped=$((skipped + 1))
}

# Adds what another suite has counted; one without its closing line has failed.
count() { # NAME OUTPUT
	if [[ $2 =~ (^|$'\n')[a-zA-Z0-9_-]+:\ ([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
		passed=$((passed + BASH_REMATCH[2]))
		failed=$((failed + BASH_REMATCH[3]))
		skipped=$((skipped + BASH_REMATCH[4]))
	else
		echo "FAIL $1: $0: no closing line"
		failed=$((failed + 1))
	fi
}

# Whether Landlock is there, or has to be: then what needs it is not passed over.
enforces() { # LAUNCHER
	[ "${LANDLOCK_RUN_MUST_ENFORCE-}" = 1 ] || "$1" --probe >/dev/null 2>&1
}

finish() { # NAME
	echo "$1: $passed passed, $failed failed, $skipped skipped"
	[ "$failed" = 0 ]
}
