#!/bin/sh
# Ends with exit code 3 and last words instead of answering.
. "${0%/*}/lib.sh"
on_uci() {
    echo "cannot open network file nn-0.nnue" >&2
    exit 3
}
main
