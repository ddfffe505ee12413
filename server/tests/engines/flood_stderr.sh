#!/bin/sh
# Floods its error output while it works.
. "${0%/*}/lib.sh"
yes "noise" >&2 &
main
