#!/bin/sh
# Knights go out and come home: every game is legal, and the start position stands for the third time after eight plies.
# $PACE: seconds for each think. $GOES: a file that gets a line for each think.
. "${0%/*}/lib.sh"
plies=0
on_position() {
    case $1 in
    *' moves '*)
        # shellcheck disable=SC2086
        set -- ${1##* moves }
        plies=$#
        ;;
    *) plies=0 ;;
    esac
}
on_go() {
    [ -z "$GOES" ] || say "$plies" >>"$GOES"
    [ -z "$PACE" ] || sleep "$PACE"
    case $((plies % 4)) in
    0) move=g1f3 ;;
    1) move=g8f6 ;;
    2) move=f3g1 ;;
    3) move=f6g8 ;;
    esac
    say "info depth 1 score cp 10 nodes 20 time 1 pv $move"
    say "bestmove $move"
}
while IFS= read -r line; do
    case $line in
    uci) on_uci ;;
    isready) on_isready ;;
    'position '*) on_position "$line" ;;
    'go '*) on_go ;;
    quit) exit 0 ;;
    esac
done
