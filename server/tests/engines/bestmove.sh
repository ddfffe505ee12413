#!/bin/sh
# Answers with the line in $ANSWER.
. "${0%/*}/lib.sh"
on_go() { say "$ANSWER"; }
main
