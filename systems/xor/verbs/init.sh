#!/bin/busybox sh
# What the machine of run.sh does, as its first and only process. Lines for the outside begin with
# a bar; the last one says whether all went well.
export PATH=/bin HOME=/tmp RUST_BACKTRACE=1
/bin/busybox --install -s /bin
mount -t devtmpfs none /dev
mount -t proc none /proc
mount -t sysfs none /sys
mount -t tmpfs none /tmp
say() { echo "| $*"; }
end() {
  say "$*"
  sync
  reboot -f
}
# The output of each step, and whether it went well.
step() {
  say "\$ $*"
  { "$@" 2>&1 || touch /tmp/failed; } | tee /tmp/said | sed 's/^/| /'
  # A test that found no device would prove nothing.
  [ ! -e /tmp/failed ] && ! grep -q 'skipped: ' /tmp/said || end "failed: $*"
}

while read -r module; do
  insmod "$module" || end "$module cannot be loaded"
done </modules
# Addresses that the device takes as its own: packets to it turn round in its driver.
ip link set lo up
ip link add port0 type dummy
ip address add 10.0.0.1/24 dev port0
ip link set port0 up
step rdma link add rxe0 type rxe netdev port0
step rdma link
step tests --test-threads 1 --nocapture transports::verbs verbs::
# 24 MiB in packets of 1 KiB, as Ethernet's frames bound them.
packets() { cat /sys/class/infiniband/rxe0/ports/1/hw_counters/sent_pkts; }
before=$(packets)
step tenbin relay demo --transport verbs
went=$(($(packets) - before))
say "$went packets went through the device"
[ $went -gt 24000 ] || end "failed: blocks went another way"
step tenbin relay demo --transport verbs --tls

# C2.1 and C2.2 through this device. The machine is emulated, so that only ratios in it count.
for size in 512 4096 16384 65536; do
  for tool in ib_write_bw ib_write_lat; do
    set -- $tool -d rxe0 -x 1 -F -s $size -n 200
    "$@" >/tmp/server 2>&1 &
    sleep 1
    "$@" 127.0.0.1 >/tmp/said 2>&1 || cat /tmp/said
    wait $!
    # Bandwidth has its mean in MB/s in column 4, latency its median in us in column 5.
    awk -v tool=$tool '$1 ~ /^[0-9]+$/ && NF > 4 {
      print "| " tool " " $1 " B: " (tool == "ib_write_bw" ? $4 " MB/s" : $5 " us") }' /tmp/said
  done
done
step tenbin relay bench --local 3 --transport verbs --block 4k,16k,64k --schedule naive,chain

# By hand, as an operator would: five nodes, a file, two of them gone.
nodes=
for node in 0 1 2 3 4; do
  tenbin relay node --listen 127.0.0.1:740$node --data /tmp/node$node --transport verbs \
    >/tmp/out$node 2>&1 &
  eval "process$node=$!"
  nodes=$nodes${nodes:+,}127.0.0.1:740$node
done
for node in 0 1 2 3 4; do
  until grep -q . /tmp/out$node; do sleep 0.2; done
done
head -c 3000001 /dev/urandom >/tmp/in
step tenbin relay put /tmp/in x --transport verbs --nodes $nodes
kill -9 $process1 $process3
step tenbin relay get x /tmp/back --transport verbs --nodes $nodes
step cmp /tmp/in /tmp/back

# Who is not root may pin as much as the limit says.
chmod 666 /dev/infiniband/*
echo "nobody:x:65534:65534::/tmp:/bin/sh" >/etc/passwd
get="tenbin relay get x /tmp/other --transport verbs --nodes $nodes"
su nobody -c "ulimit -l 256; $get" >/tmp/refused 2>&1
sed 's/^/| /' /tmp/refused
grep -q RLIMIT_MEMLOCK /tmp/refused || end "failed: memory was pinned beyond the limit"
end "all is well"
