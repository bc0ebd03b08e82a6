#!/bin/sh
# check.sh PACKAGES ROOTS: tries the wheel and the Debian package in PACKAGES, each in a root of
# Debian made below ROOTS where nothing else is, and prints how long the first answer takes.
set -eu
packages=$1 roots=$2
seconds=60

die() { echo "$*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || die "a clean root can only be made and entered by root: try sudo"
command -v debootstrap >/dev/null ||
  die "debootstrap is missing, which makes a clean root: apt-get install debootstrap"

# try NAME WHAT-THE-ROOT-HAS FILE INSTALL PROGRAM
try() {
  base=$roots/$1
  if [ ! -e "$base.ready" ]; then
    rm -rf "$base"
    echo "making a clean root for the $1, once"
    debootstrap --variant=minbase ${2:+--include=$2} \
      "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$base" >"$base.log" ||
      die "no clean root could be made: see $base.log"
    touch "$base.ready"
  fi
  rm -rf "$roots/try"
  cp -a "$base" "$roots/try"
  cp "$3" "$roots/try/root/"
  started=$(date +%s)
  chroot "$roots/try" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    sh -euc "cd /root; { $4; } >install.log 2>&1 || { cat install.log; exit 1; }; $5 compare s0"
  took=$(($(date +%s) - started))
  echo "the $1: from install to the first answer in $took s"
  [ "$took" -lt "$seconds" ] || die "expected less than $seconds s"
  rm -rf "$roots/try"
}

mkdir -p "$roots"
try package "" "$packages"/*.deb "dpkg -i *.deb" tenbin
try wheel python3-venv "$packages"/*.whl \
  "python3 -m venv v && v/bin/pip install --no-index *.whl &&
   v/bin/python -c 'import tenbin; print(tenbin.Scenario.load(\"s0\").run())'" v/bin/tenbin
