#!/bin/sh
# Ends at every `go` with exit code 7.
. "${0%/*}/lib.sh"
on_go() {
    echo "assertion failed: depth > 0" >&2
    exit 7
}
main
