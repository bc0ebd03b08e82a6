#!/bin/sh
# Relay schedules on shaped links: a network namespace a host, tbf on both ends of its link.
# `tenbin reproduce s2 --real` measures the document's own cells so; this one takes other rates,
# blocks and numbers of nodes. As root, with iproute2; removes what it made. One line a
# measurement, data only, all clients; the last two columns are what the model of the same links
# says, and how far it is off:
#
#   systems/xor/benches/relay/run.sh [MBIT [SECONDS [BLOCK]]]
#
# NODES="3 5" CLIENTS="1 2 3 4 5" SCHEDULES="naive chain pivot auto" TENBIN=path may be set.
set -eu
mbit=${1:-200} seconds=${2:-6} block=${3:-16k}
tenbin=$(realpath "${TENBIN:-${CARGO_TARGET_DIR:-target}/release/tenbin}")
work=$(mktemp -d)
prefix=tbx$$
bridge=${prefix}br

end() {
    for pid in $(cat "$work"/pids 2>/dev/null); do kill "$pid" 2>/dev/null || :; done
    wait || :
    for host in $(cat "$work"/hosts 2>/dev/null); do ip netns del "$host" || :; done
    ip link del "$bridge" 2>/dev/null || :
    rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM

# host NAME NUMBER: a namespace with address 10.77.0.NUMBER behind a link of MBIT each way
host() {
    ip netns add "$1"
    echo "$1" >> "$work"/hosts
    ip link add "v$1" type veth peer name eth0 netns "$1"
    ip link set "v$1" master "$bridge" up
    ip -n "$1" addr add "10.77.0.$2/24" dev eth0
    ip -n "$1" link set lo up
    ip -n "$1" link set eth0 up
    tc qdisc add dev "v$1" root tbf rate "${mbit}mbit" burst 128kb limit 4mb
    tc -n "$1" qdisc add dev eth0 root tbf rate "${mbit}mbit" burst 128kb limit 4mb
    # One congestion control for all; some systems let a namespace choose reno only.
    ip netns exec "$1" sh -c 'for name in cubic reno; do
        (echo $name > /proc/sys/net/ipv4/tcp_congestion_control) 2>/dev/null && break
    done'
}

# field NAME FILE: a number of the one JSON object
field() { sed -n "s/.*\"$1\":\([0-9.e+-]*\).*/\1/p" "$2"; }

# simulated NODES CLIENTS SCHEDULE: goodput in Mbit/s by the model
simulated() {
    "$tenbin" run scenarios/xor-write.toml --json -o "$work/simulated" \
        --set "network.rate=${mbit}Mbit/s" --set "workload.block=${block%k}KiB" \
        --set workload.bytes=40MB --set "cluster.nodes=$1" --set "cluster.clients=$2" \
        --set "policy.schedule=$3" > "$work/simulated.json" 2> /dev/null
    field goodput_mbit "$work/simulated.json"
}

ip link add "$bridge" type bridge
ip link set "$bridge" up
most=$(echo "${CLIENTS:-1 2 3 4 5}" | tr ' ' '\n' | sort -n | tail -1)
for c in $(seq "$most"); do host "${prefix}c$c" $((100 + c)); done

printf '%-3s %-8s %-9s %-7s %-13s %-7s %-6s %-10s %-9s %s\n' \
    n clients schedule block goodput_mbit ideal ratio over_naive simulated off
for n in ${NODES:-3 5}; do
    : > "$work"/nodes
    : > "$work"/pids
    for i in $(seq "$n"); do
        name=${prefix}n${n}x$i
        host "$name" $((n * 10 + i))
        address=10.77.0.$((n * 10 + i)):7400
        ip netns exec "$name" "$tenbin" relay node --insecure --listen "$address" \
            --data "$work/$name" > "$work/$name.out" &
        echo $! >> "$work"/pids
        echo "$address" >> "$work"/nodes
        until grep -qs listening "$work/$name.out"; do sleep 0.1; done
    done
    for clients in ${CLIENTS:-1 2 3 4 5}; do
        naive=
        for schedule in ${SCHEDULES:-naive chain pivot auto}; do
            running=
            for c in $(seq "$clients"); do
                ip netns exec "${prefix}c$c" "$tenbin" relay bench --cluster "$work"/nodes \
                    --schedule "$schedule" --block "$block" --seconds "$seconds" \
                    --among "$clients" --link-mbit "$mbit" --json > "$work/c$c.json" &
                running="$running $!"
            done
            for pid in $running; do wait "$pid"; done
            goodput=0 ideal=0
            for c in $(seq "$clients"); do
                goodput=$(echo "$goodput $(field goodput_mbit "$work/c$c.json")" | awk '{print $1 + $2}')
                ideal=$(echo "$ideal $(field ideal "$work/c$c.json")" | awk '{print $1 + $2}')
            done
            naive=${naive:-$goodput}
            model=$(simulated "$n" "$clients" "$schedule")
            echo "$n $clients $schedule $block $goodput $ideal $naive $model" | awk '{
                printf "%-3d %-8d %-9s %-7s %-13.1f %-7.0f %-6.3f %-10.3f %-9.1f %+.1f %%\n",
                    $1, $2, $3, $4, $5, $6, $5 / $6, $5 / $7, $8, 100 * ($8 / $5 - 1) }'
        done
    done
    for pid in $(cat "$work"/pids); do kill "$pid"; done
    : > "$work"/pids
done
