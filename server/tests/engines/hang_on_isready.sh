#!/bin/sh
# Answers `uci`, then never `isready`.
. "${0%/*}/lib.sh"
on_isready() { :; }
main
