# Says what a script's tests came to, in the lines that the test runner reads; to be sourced.
# Judges nothing: a test is a function that returns 0, or says why not in $why and returns 1.
# shellcheck shell=bash

passed=0 failed=0 skipped=0

run() { # NAME: runs the function of that name
	why='no reason given'
	if "$1"; then
		passed=$((passed + 1))
		echo "ok $1"
	else
		failed=$((failed + 1))
		echo "FAIL $1: $0: $why"
	fi
}

skip() { # NAME REASON
	skipped=$((skipped + 1))
	echo "skip $1: $2"
}

finish() {
	echo "SUITE: $passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
}
