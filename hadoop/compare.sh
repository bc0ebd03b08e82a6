#!/bin/sh
# Runs the same losses through Tenbin's NameNode and through Hadoop's, and prints where they differ.
# Usage: hadoop/compare.sh [SEEDS]      (default 40: about ten minutes on one core)
set -eu
cd "$(dirname "$0")"
out=target/compare
rm -rf "$out"
mvn -q package
(cd .. && cargo run -q -p models --example namenode_timeline -- hadoop/cases.tsv "hadoop/$out" "${1:-40}")
java="java -Xmx1g -cp target/classes:$(cat target/classpath.txt)"
for package in lang util nio; do java="$java --add-opens java.base/java.$package=ALL-UNNAMED"; done
$java tenbin.VirtualNameNode "$out"
$java tenbin.Compare cases.tsv "$out" hadoop tenbin
