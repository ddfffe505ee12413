#!/bin/sh
# Ignores SIGTERM, SIGINT and SIGHUP, `quit` and the end of its input.
. "${0%/*}/lib.sh"
trap '' TERM INT HUP
on_quit() { exec sleep 600; }
main
