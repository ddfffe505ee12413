#!/bin/sh
# Is killed by a signal in the middle of every search.
. "${0%/*}/lib.sh"
on_go() {
    say "info depth 1 score cp 10 nodes 20 pv e2e4"
    kill -SEGV $$
}
main
