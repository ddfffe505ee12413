#!/bin/sh
# Floods its output in a search with lines.
. "${0%/*}/lib.sh"
on_go() { exec yes "info depth 1 score cp 1 nodes 1 pv e2e4"; }
main
