#!/bin/sh
# Closes its output in a search and lives on.
. "${0%/*}/lib.sh"
on_go() { exec sleep 600 >&-; }
main
