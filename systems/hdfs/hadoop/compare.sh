#!/bin/sh
# Runs the same losses through Tenbin's NameNode and through Hadoop's, and prints where they differ.
# Usage: systems/hdfs/hadoop/compare.sh [SEEDS [CASE...]]   (default 40 and all cases: about ten minutes on one core)
set -eu
cd "$(dirname "$0")"
seeds=${1:-40}
[ $# -eq 0 ] || shift
out=target/compare
cases=target/cases.tsv
rm -rf "$out"
mvn -q package
awk -v only=" $* " '/^(#|name\t)/ || only == "  " || index(only, " " $1 " ")' cases.tsv > "$cases"
here=systems/hdfs/hadoop
(cd ../../.. && cargo run -q -p hdfs-model --example namenode_timeline -- \
  "$here/$cases" "$here/$out" "$seeds")
java="java -Xmx1g -cp target/classes:$(cat target/classpath.txt)"
for package in lang util nio; do java="$java --add-opens java.base/java.$package=ALL-UNNAMED"; done
$java tenbin.VirtualNameNode "$out"
$java tenbin.Compare "$cases" "$out" hadoop tenbin
