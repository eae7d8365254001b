# What completes landlock-run in bash, with bash-completion or without.
# The tables are put in when the launcher is built: NAME USAGE VALUES once|again|alone WORDS HELP, with tabs between.

_landlock_run_options='
@OPTIONS@
'
_landlock_run_bwrap='
@BWRAP@
'

# The words of $1 that begin with $2, and no file.
_landlock_run_words() {
	compopt +o default
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

# A list with commas in $2: its last word, of those in $1 that are not in it yet. What may follow is a comma or $3.
_landlock_run_list() {
	local before='' last=${2##*,} word words=''
	[ "$last" = "$2" ] || before=${2%,*},
	for word in $1; do
		[[ ,$before == *,"$word",* ]] || words+="$word "
	done
	compopt -o nospace +o default
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "$last")
}

# The value of the option in the row $1, of which $2 stands there.
_landlock_run_value() {
	local values words
	IFS=$'\t' read -r _ _ values _ words _ <<<"$1"
	case $values in
	directory) compopt -o dirnames +o default ;;
	word) _landlock_run_words "$words" "$2" ;;
	word-or-words)
		# The first stands alone.
		case $2 in
		"${words%% *}",*) words= ;;
		*,*) words=${words#* } ;;
		esac
		_landlock_run_list "$words" "$2"
		;;
	word-or-file)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -W "$words" -- "$2")
		;;
	words-for-file) [[ $2 == *:* ]] || _landlock_run_list "$words" "$2" ;;
	number) compopt +o default ;;
	esac # and else readline completes a file
}

# The row of the option $1 in the table $2, into `row`.
_landlock_run_row() {
	row=${2#*$'\n'"$1"$'\t'}
	if [ "$row" = "$2" ]; then
		row=
		return 1
	fi
	row=$1$'\t'${row%%$'\n'*}
}

# What may come behind the words, of which the last one is being written.
_landlock_run_after() {
	local table=$_landlock_run_options last=$((${#words[@]} - 1)) at=1 front='' row name values repeat seen=' ' names=
	[ "$last" = 1 ] || front=${words[1]}
	case $front in
	bwrap) table=$_landlock_run_bwrap at=2 ;;
	probe) at=2 ;;
	esac
	for (( ; at < last; at++)); do
		seen+="${words[at]} "
		_landlock_run_row "${words[at]}" "$table" || continue
		case $row in
		*$'\t-\t-\t'* | *$'\taction\t'*) ;;
		*$'\tfile-twice\t'*)
			if ((at + 2 == last)); then
				_landlock_run_words "${words[at + 1]}" "$cur"
				return
			fi
			((at + 1 == last)) || at=$((at + 1))
			;;&
		*)
			if ((at + 1 == last)); then
				_landlock_run_value "$row" "$cur"
				return
			fi
			at=$((at + 1))
			;;
		esac
	done
	while IFS=$'\t' read -r name _ values repeat _; do
		[[ $front != probe || $values != action ]] || continue
		case $repeat in
		once) [[ $seen != *" $name "* ]] || continue ;;
		alone) [ "$last" = 1 ] || continue ;;
		esac
		names+="$name "
	done <<<"$table"
	[ "$last" != 1 ] || names+='bwrap probe '
	[[ $front != probe || $last != 2 ]] || names+='--json '
	[[ $seen != *' --mode '* ]] || names+='-c '
	_landlock_run_words "$names --" "$cur"
}

# COMP_WORDS as the launcher will see them: readline has split them at colons too.
_landlock_run_split() {
	local rest=$COMP_LINE word joined i
	words=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if [[ $i -gt 0 && $rest != [[:blank:]]* && ($word == [:=]* || ${COMP_WORDS[i - 1]} == *[:=]) ]]; then
			joined=1
		else
			joined=
			rest=${rest#"${rest%%[![:blank:]]*}"}
		fi
		if [ "$joined" ]; then
			words[${#words[@]} - 1]+=$word
		else
			words+=("$word")
		fi
		rest=${rest#"$word"}
	done
	cur=${words[${#words[@]} - 1]}
}

# The command behind `--`, which is word $1 of COMP_WORDS, as it would be completed without the launcher.
_landlock_run_command() {
	if declare -F _comp_command_offset >/dev/null; then
		_comp_command_offset "$(($1 + 1))"
	elif declare -F _command_offset >/dev/null; then
		_command_offset "$(($1 + 1))"
	elif [ "$COMP_CWORD" = "$(($1 + 1))" ]; then
		mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")
	fi
}

_landlock_run() {
	local words cur i
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--)
			_landlock_run_command "$i"
			return
			;;
		-c) return ;; # a script and its arguments
		esac
	done
	_landlock_run_split
	_landlock_run_after
}

complete -o default -F _landlock_run landlock-run
