# What completes landlock-run in fish.
# The tables are put in when the launcher is built: NAME USAGE VALUES once|again|alone WORDS HELP, with tabs between.

# Whether the option $argv[2] of the front $argv[1] may come here; $argv[3] says whether again, $argv[4] what its value is.
function __landlock_run_takes
    set -l words (commandline -opc)
    set -l front launcher
    contains -- -- $words[2..]; and return 1
    contains -- -c $words[2..]; and return 1
    test "$words[2]" = bwrap; and set front bwrap
    test $argv[1] = $front; or return 1
    test "$argv[3]" = alone; and set -q words[2]; and return 1
    test "$argv[4]" = action; and test "$words[2]" = probe; and return 1
    # The last word may be the option itself, whose value is being written.
    contains -- "$argv[4]" - action; or set -e words[-1]
    test "$argv[3]" != once; or not contains -- $argv[2] $words
end

# Whether these words, and no other, stand before the one that is being written.
function __landlock_run_begins
    set -l words (commandline -opc)
    set -e words[1]
    test "$words" = "$argv"
end

function __landlock_run_behind
    contains -- $argv[1] (commandline -opc)
end

# Whether the end of the options may be what is being written.
function __landlock_run_ends
    string match -q -- '-*' (commandline -ct); and not __landlock_run_behind --; and not __landlock_run_behind -c
end

# Whether an argument of a script is being written.
function __landlock_run_in_script
    set -l words (commandline -opc)
    set -l at (contains -i -- -c $words); and set -q words[(math $at + 1)]
end

# Whether the path of a bind is to be written again: it is the word before, and the option is before that.
function __landlock_run_same
    set -l words (commandline -opc)
    test "$words[2]" = bwrap; and contains -- "$words[-2]" $argv
end

# Some of the words $argv[2..], with commas between them, and $argv[1] behind.
function __landlock_run_words
    set -l list (string split , -- (commandline -ct))
    set -e list[-1]
    set -l before (string join , -- $list '')
    for word in $argv[2..]
        contains -- $word $list; or echo $before$word$argv[1]
    end
end

# The first of the words, or such a list of the others.
function __landlock_run_word_or_words
    switch (commandline -ct)
        case "$argv[1],*"
        case '*,*'
            __landlock_run_words '' $argv[2..]
        case '*'
            __landlock_run_words '' $argv
    end
end

# Such a list, a colon and a file.
function __landlock_run_words_for_file
    set -l parts (string split -m 1 : -- (commandline -ct))
    if set -q parts[2]
        for file in (complete -C "__landlock_run_no_such_command $parts[2]")
            echo $parts[1]:$file
        end
    else
        __landlock_run_words : $argv
    end
end

# The command behind `--` as it would be completed without the launcher.
function __landlock_run_command
    set -l words (commandline -opc)
    set -l at (contains -i -- -- $words)
    complete -C (string join ' ' -- (string escape -- $words[(math $at + 1)..]) (commandline -ct))
end

# What completes the options of the front $argv[1], a row of whose table is each of $argv[2..].
function __landlock_run_options
    for row in $argv[2..]
        set -l column (string split \t -- $row)
        set -q column[6]; or continue
        set -l value
        switch $column[3]
            case file file-twice
                set value -r -F
            case directory
                set value -x -a '(__fish_complete_directories (commandline -ct))'
            case number
                set value -x
            case word
                set value -x -a $column[5]
            case word-or-words
                set value -x -a "(__landlock_run_word_or_words $column[5])"
            case word-or-file
                set value -r -F -a $column[5]
            case words-for-file
                set value -x -a "(__landlock_run_words_for_file $column[5])"
        end
        complete -c landlock-run -n "__landlock_run_takes $argv[1] $column[1] $column[4] $column[3]" \
            -l (string sub -s 3 -- $column[1]) -d $column[6] $value
        if test $column[3] = file-twice
            complete -c landlock-run -n "__landlock_run_same $column[1]" -f -a '(commandline -opc)[-1]'
        end
    end
end

complete -c landlock-run -f
complete -c landlock-run -n __landlock_run_begins -a bwrap -d "take bubblewrap's options"
complete -c landlock-run -n __landlock_run_begins -a probe -d 'say what this kernel enforces'
complete -c landlock-run -n '__landlock_run_begins probe' -l json -d 'as one JSON object'
complete -c landlock-run -n '__landlock_run_behind --mode; and not __landlock_run_behind -c' -s c -x -d 'run SCRIPT in bash'
complete -c landlock-run -n __landlock_run_in_script -F
complete -c landlock-run -n __landlock_run_ends -a -- -d 'COMMAND follows'
complete -c landlock-run -n '__landlock_run_behind --' -a '(__landlock_run_command)'
__landlock_run_options launcher (string split \n -- '
@OPTIONS@
')
__landlock_run_options bwrap (string split \n -- '
@BWRAP@
')
functions -e __landlock_run_options
