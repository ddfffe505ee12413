#!/bin/sh
# Searches longer than it should without reading `stop`, then answers.
. "${0%/*}/lib.sh"
on_go() {
    sleep 0.4
    say "bestmove e2e4"
}
main
