#!/bin/sh
# Floods its output in a search without ever ending the line.
. "${0%/*}/lib.sh"
on_go() { exec cat /dev/zero; }
main
