#!/bin/sh
# Reads everything and answers nothing.
. "${0%/*}/lib.sh"
on_uci() { :; }
on_isready() { :; }
on_quit() { :; }
main
