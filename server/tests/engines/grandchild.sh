#!/bin/sh
# Starts a process of its own and tells its number.
. "${0%/*}/lib.sh"
sleep 600 &
say "info string grandchild $!"
on_go() {
    say "info depth 1 score cp 1 nodes 1 pv e2e4 string grandchild $!"
    say "bestmove e2e4"
}
main
