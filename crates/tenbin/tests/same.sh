#!/bin/sh
# What the program says of every scenario, of logs, a plan, a diff, an import and a document:
# kept at first, compared from then on. Usage: same.sh TENBIN FOLDER [keep]
set -eu
tenbin=$1 now=$2/now kept=$2/kept keep=${3:-}
rm -rf "$now" && mkdir -p "$now"

# Output and exit code of a command; of a folder that it writes, the page's data and the trace's sums.
one() {
  label=$1 code=0 && shift
  "$tenbin" "$@" >"$now/$label.txt" 2>/dev/null || code=$?
  echo "exit $code" >>"$now/$label.txt"
  for part in report.json trace/SHA256SUMS; do
    [ ! -f "$now/$label/$part" ] || mv "$now/$label/$part" "$now/$label.$(basename "$part")"
  done
}

for file in scenarios/*.toml; do
  name=$(basename "$file" .toml) smaller=
  [ "$name" != datacentre ] || smaller="--set cluster.racks=6 --set cluster.nodes_per_rack=8
    --set workload.blocks_on_lost_node=200 --set event.target=dn-r3-05"
  one "run-$name" run "$file" --seeds 2 -o "$now/run-$name" $smaller
  one "json-$name" run "$file" --json -o "$now/json-$name" $smaller
  one "check-$name" check "$file"
done
for name in s0 ppmds ozone-small-files xor-write mapreduce-lab echo; do
  one "compare-$name" compare "scenarios/$name.toml" --seeds 3 -o "$now/compare-$name"
done
one diff diff "$now/run-ozone-lost-node" "$now/run-ozone-small-files" -o "$now/diff"
one import import mapreduce examples/terasort -o "$now/import"
one why why "$now/import"
one rebuild plan rebuild s0 --time-limit 20s -o "$now/rebuild"
one pipelines plan pipelines ozone-small-files -o "$now/pipelines"
one metadata plan metadata ppmds -o "$now/metadata"
one reproduce reproduce s0 -o "$now/reproduce"

find "$now" -mindepth 1 -maxdepth 1 -type d -exec rm -r {} +
# Clocks, memory and this folder are not the same twice.
sed -i -E "s#$2/(now|kept)#OUT#g; s/\"(wall_s|peak_rss_bytes)\":[0-9.e+-]+/\"\1\":0/g; \
  s/\"spent\":\{[^}]*\}/SPENT/; s/Wall time run [^|\"]*/WALL/; s/[0-9.]+ (ms|s) of wall time/WALL/g" "$now"/*
if [ -d "$kept" ] && [ -z "$keep" ]; then
  diff -r "$kept" "$now" && echo "the same: $(ls "$now" | wc -l) outputs"
else
  rm -rf "$kept" && mv "$now" "$kept" && echo "kept: $(ls "$kept" | wc -l) outputs in $kept"
fi
