#!/bin/sh
# Ends in the middle of the first search of all its lives ($STATE remembers), then works.
. "${0%/*}/lib.sh"
if [ ! -e "$STATE" ]; then
    on_go() {
        : >"$STATE"
        say "info depth 1 score cp 10 nodes 20 pv e2e4"
        exit 3
    }
fi
main
