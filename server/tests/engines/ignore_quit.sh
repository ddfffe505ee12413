#!/bin/sh
# Ignores `quit` and the end of its input.
. "${0%/*}/lib.sh"
on_quit() { exec sleep 600; }
main
