#!/bin/sh
# Ends its lines with CR LF and a leading space, and pads them.
. "${0%/*}/lib.sh"
say() { printf '  %s \r\n' "$*"; }
main
