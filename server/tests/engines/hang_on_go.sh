#!/bin/sh
# Hangs after `go`: it reads nothing any more, `stop` and `quit` included.
. "${0%/*}/lib.sh"
on_go() { exec sleep 600; }
main
