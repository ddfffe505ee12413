#!/bin/sh
# Does everything right.
. "${0%/*}/lib.sh"
main
