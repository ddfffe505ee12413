#!/bin/sh
# Prints every kind of garbage before `uciok`.
. "${0%/*}/lib.sh"
on_uci() {
    say "Banner 1.0 (c) somebody"
    say "info string estimated time…: 1.88"
    say "info string NaN, 1e999 bestmove e2e4 readyok"
    printf '\000\377\376\000\n'
    printf '\377\376\n\n\r\n'
    say "option name"
    say "option name Broken type spin default x min y max z"
    say "id name Noise"
    printf '\000\000uciok\000\n'
}
main
