#!/bin/sh
# Prints an empty line, and its move some time later.
. "${0%/*}/lib.sh"
on_go() {
    say ""
    sleep 0.3
    say "bestmove g1f3"
}
main
