#!/bin/sh
# Prints a line of 200,000 bytes, then its move.
. "${0%/*}/lib.sh"
on_go() {
    head -c 200000 /dev/zero | tr '\0' x
    say ""
    say "bestmove e2e4"
}
main
