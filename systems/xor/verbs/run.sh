#!/bin/sh
# run.sh TENBIN TESTS FOLDER: runs the relay by RDMA verbs in a small machine whose kernel plays an
# RDMA device (soft-RoCE). TENBIN is the program, TESTS the integration tests of xor-relay as cargo
# built them. Kernel, first file system and log lie in FOLDER; the kernel is fetched once.
#
# The machine is emulated, so it needs no rights and no hardware. It has one file system, in memory:
# the two programs with their libraries, perftest, rdma-core's library and its provider for
# soft-RoCE, `rdma`,
# `ip`, a shell.
set -eu
tenbin=$1 tests=$2 folder=$3
here=$(dirname "$0")
seconds=600 memory=2G
provider=librxe

die() { echo "$*" >&2; exit 1; }

for tool in qemu-system-x86_64:qemu-system-x86 busybox:busybox-static rdma:iproute2 \
  modprobe:kmod cpio:cpio ib_write_bw:perftest; do
  command -v "${tool%:*}" >/dev/null ||
    die "${tool%:*} is missing: apt-get install ${tool#*:}"
done
libraries=$(dirname "$(realpath "$(ldconfig -p | sed -n 's/.*libibverbs\.so\.1 .*=> //p')")")
[ -n "$(ls "$libraries"/libibverbs/$provider* 2>/dev/null)" ] ||
  die "rdma-core is missing: apt-get install ibverbs-providers"

# The kernel is unpacked beside this system, and never installed.
mkdir -p "$folder"
if [ ! -e "$folder/kernel.ready" ]; then
  package=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[^ ]*\)/\1/p')
  [ -n "$package" ] || die "no kernel is known: apt-get update"
  echo "fetching $package, once"
  rm -rf "$folder/kernel" "$folder"/linux-image-*.deb
  (cd "$folder" && apt-get -q=2 download "$package" 2>/dev/null)
  dpkg-deb -x "$folder"/linux-image-*.deb "$folder/kernel"
  rm "$folder"/linux-image-*.deb
  depmod -b "$folder/kernel" "$(ls "$folder/kernel/lib/modules")"
  touch "$folder/kernel.ready"
fi
kernel=$folder/kernel version=$(ls "$folder/kernel/lib/modules")

# linked FILE: copies what it is linked to, to the same places in the machine.
linked() {
  for file in $(ldd "$1" 2>/dev/null | sed -n 's/.*[[:space:]]\(\/[^ ]*\) (0x.*/\1/p'); do
    mkdir -p "$root$(dirname "$file")"
    cp -L "$file" "$root$file"
  done
}

# program FILE NAME: a program of the machine.
program() {
  cp -L "$1" "$root/bin/$2"
  linked "$1"
}

root=$folder/root
rm -rf "$root"
for place in bin sbin lib lib64; do
  mkdir -p "$root/usr/$place"
  ln -s "usr/$place" "$root/$place"
done
mkdir -p "$root/dev" "$root/proc" "$root/sys" "$root/tmp" "$root/etc"
cp "$here/init.sh" "$root/init"
chmod +x "$root/init"
program "$(command -v busybox)" busybox
program "$(command -v rdma)" rdma
program "$(command -v ip)" ip
program "$(command -v ib_write_bw)" ib_write_bw
program "$(command -v ib_write_lat)" ib_write_lat
program "$tenbin" tenbin
program "$tests" tests
mkdir -p "$root$libraries/libibverbs" "$root/etc/libibverbs.d"
for file in "$libraries/libibverbs.so.1" "$libraries/libibverbs/$provider"*; do
  cp -L "$file" "$root$file"
  linked "$file"
done
cp /etc/libibverbs.d/rxe.driver "$root/etc/libibverbs.d/"

# Modules in the order in which they are loaded: the checksum first, which rdma_rxe asks for by
# name, so that nothing says that it depends on it.
for module in crc32_generic dummy rdma_rxe; do
  modprobe -d "$kernel" -S "$version" --show-depends "$module"
done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' | while read -r module; do
  cp "$module" "$root/"
  echo "/$(basename "$module")"
done >"$root/modules"

(cd "$root" && find . | cpio --quiet -o -H newc | gzip -1) >"$folder/root.gz"

echo "starting the machine; its log is $folder/log"
timeout "$seconds" qemu-system-x86_64 -accel tcg -cpu max -smp 2 -m "$memory" -no-reboot \
  -display none -serial stdio -monitor none -net none \
  -kernel "$kernel/boot/vmlinuz-$version" -initrd "$folder/root.gz" \
  -append "console=ttyS0 quiet panic=-1 no_timer_check nowatchdog" </dev/null >"$folder/log" 2>&1 ||
  die "the machine did not end within $seconds s: see $folder/log"
tr -d '\r' <"$folder/log" | sed -n 's/^| //p'
grep -q '^| all is well' "$folder/log" || die "something failed: see $folder/log"
