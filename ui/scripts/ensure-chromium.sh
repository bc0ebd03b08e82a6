#!/bin/sh
# Debian's Chromium for the tests in a real browser. TENBIN_CHROMIUM names another one.
set -eu
if [ -n "${TENBIN_CHROMIUM:-}" ] || command -v chromium >/dev/null 2>&1; then
    exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "No Chromium found. Install one, and name it in TENBIN_CHROMIUM." >&2
    exit 1
fi
root=""
[ "$(id -u)" = 0 ] || root="sudo"
$root apt-get update -qq
$root apt-get install -y -qq --no-install-recommends chromium >/dev/null
