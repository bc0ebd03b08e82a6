#!/bin/sh
# container.sh PACKAGES BASE: builds the image `tenbin` from the Debian package in PACKAGES on the
# image BASE, by podman or buildah, and prints its first answer.
set -eu
for builder in podman buildah; do
  command -v $builder >/dev/null && break
  builder=
done
[ "$builder" ] || { echo "neither podman nor buildah is there: apt-get install buildah" >&2; exit 1; }
here=$(dirname "$0")
"$builder" build --quiet --build-arg BASE="$2" -t tenbin -f "$here/Containerfile" "$1"
if [ "$builder" = podman ]; then
  podman run --rm tenbin compare s0
else
  container=$(buildah from tenbin)
  buildah run "$container" -- tenbin compare s0
  buildah rm "$container" >/dev/null
fi
