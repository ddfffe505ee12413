#!/bin/sh
# Its keywords are glued to the rest of lines that were cut.
. "${0%/*}/lib.sh"
on_uci() { printf '0\377uciok\n'; }
on_isready() { say 0readyok; }
on_go() {
    say "info depth 5 score cp 30 nodes 100 pv g1f3"
    say "info depth 6 score cp 0bestmove g1f3 ponder g8f6"
}
main
