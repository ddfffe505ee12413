#!/bin/sh
# Reads nothing any more once it is ready.
. "${0%/*}/lib.sh"
on_isready() {
    say readyok
    exec sleep 600
}
main
