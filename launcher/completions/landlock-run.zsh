#compdef landlock-run
# What completes landlock-run in zsh.
# The tables are put in when the launcher is built: NAME USAGE VALUES once|again|alone WORDS HELP, with tabs between.

local options='
@OPTIONS@
'
local bwrap='
@BWRAP@
'

# Some of the words in the last argument, with commas between them; before it what compadd takes.
_landlock_run_words() {
	compset -P '*,'
	local -a taken=("${(@s:,:)IPREFIX}")
	compadd "${(@)argv[1,-2]}" -S , -q -- ${${(s: :)argv[-1]}:|taken}
}

# The first of the words, or such a list of the others.
_landlock_run_word_or_words() {
	local -a all=(${(s: :)argv[-1]})
	[[ $PREFIX == $all[1],* ]] && return 1
	[[ $PREFIX == *,* ]] && shift all
	_landlock_run_words "${(@)argv[1,-2]}" "$all"
}

# Such a list, a colon and a file.
_landlock_run_words_for_file() {
	if compset -P '*:'; then
		_files
	else
		compset -P '*,'
		local -a taken=("${(@s:,:)IPREFIX}")
		compadd "${(@)argv[1,-2]}" -S : -r ',: ' -- ${${(s: :)argv[-1]}:|taken}
	fi
}

_landlock_run_word_or_file() {
	compadd "${(@)argv[1,-2]}" -- ${(s: :)argv[-1]}
	_files
}

# The word before once more.
_landlock_run_same() {
	compadd "$@" -- ${(Q)words[CURRENT - 1]}
}

# What _arguments is to know of the options in the table $1 of the front $2, into `specifications`.
_landlock_run_specify() {
	local row value
	local -a column
	for row in ${(f)1}; do
		column=("${(@ps:\t:)row}")
		case $column[3] in
		(file) value=":$column[2]:_files" ;;
		(file-twice) value=":$column[2]:_files:$column[2]:_landlock_run_same" ;;
		(directory) value=":$column[2]:_files -/" ;;
		(number) value=":$column[2]: " ;;
		(word) value=":$column[2]:($column[5])" ;;
		(word-or-words) value=":$column[2]:_landlock_run_word_or_words '$column[5]'" ;;
		(word-or-file) value=":$column[2]:_landlock_run_word_or_file '$column[5]'" ;;
		(words-for-file) value=":${column[2]//:/\\:}:_landlock_run_words_for_file '$column[5]'" ;;
		(*) value= ;;
		esac
		[[ $2 == probe && $column[3] == action ]] && continue
		[[ $column[4] == again ]] && column[1]="*$column[1]"
		[[ $column[4] == alone ]] && (( CURRENT != 2 )) && continue
		specifications+="$column[1][$column[6]]$value"
	done
}

_landlock_run_complete() {
	local curcontext=$curcontext
	local -a specifications
	local end=${words[(i)--]}
	local script=${words[(i)-c]}
	if (( end < CURRENT && end < script )); then
		shift $end words
		(( CURRENT -= end ))
		_normal
		return
	elif (( script < CURRENT )); then
		(( CURRENT == script + 1 )) && _message SCRIPT || _files
		return
	fi
	local front=$words[2]
	if (( CURRENT == 2 )); then
		front=
		specifications=('1:subcommand:(bwrap probe)')
	fi
	case $front in
	(bwrap) _landlock_run_specify $bwrap ;;
	(probe)
		(( CURRENT == 3 )) && specifications=('--json[as one JSON object]')
		_landlock_run_specify $options probe
		;;
	(*) _landlock_run_specify $options ;;
	esac
	if [[ $front == (bwrap|probe) ]]; then
		shift words
		(( CURRENT -= 1 ))
	fi
	(( ${words[(I)--mode]} )) && specifications+='-c[run SCRIPT in bash]:SCRIPT: '
	_arguments $specifications '(-)--[COMMAND follows]'
}

_landlock_run_complete
