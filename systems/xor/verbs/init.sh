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
step tenbin relay demo --transport verbs
step tenbin relay demo --transport verbs --tls

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
