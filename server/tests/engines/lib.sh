# A UCI engine in POSIX sh for the tests: an engine sources this, replaces what it does differently and calls `main`.
# Commands are logged to $LOG where that is set.

say() { printf '%s\n' "$*"; }

on_uci() {
    say "id name ${0##*/}"
    say "id author Rookery's tests"
    say "option name Hash type spin default 16 min 1 max 64"
    say uciok
}
on_isready() { say readyok; }
on_newgame() { :; }
on_go() {
    say "info depth 1 score cp 10 nodes 20 time 1 pv e2e4"
    say "bestmove e2e4"
}
on_stop() { :; }
on_quit() { exit 0; }

main() {
    while IFS= read -r line; do
        [ -z "$LOG" ] || say "$line" >>"$LOG"
        case $line in
        uci) on_uci ;;
        isready) on_isready ;;
        ucinewgame) on_newgame ;;
        'go '*) on_go ;;
        stop) on_stop ;;
        quit) on_quit ;;
        esac
    done
}
