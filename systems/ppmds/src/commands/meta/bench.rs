//! `tenbin meta bench`.
use super::args::MetaBench;
use super::{block_on, cluster, failure, print};
use page::words::count;
use ppmds_service::load::{Measurement, run};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use system::Failure;

pub(super) fn bench(args: &MetaBench) -> Result<(), Failure> {
    let cluster = cluster(&args.cluster.which)?;
    let measured = block_on(async {
        run(&cluster, args.workload, args.clients, args.seconds).await.map_err(failure)
    })?;
    let name = args.workload.name();
    let Measurement { took, times, errors } = &measured;
    let (all, seconds) = (measured.all(), took.as_secs_f64());
    let rate = all.count as f64 / seconds;
    let us = |ns: u64| ns / 1_000;
    let (servers, clients) = (cluster.servers(), args.clients);
    let mut text = format!(
        "{name}: {rate:.0} operations/s on {} for {}, {seconds:.0} s; {errors} answers were \
         errors (some are expected in mix and hot)\n",
        count(servers.into(), "server"),
        count(clients.into(), "client"),
    );
    let mut kinds = Map::new();
    for (kind, times) in times {
        let (median, p99) = (us(times.quantile(0.5)), us(times.quantile(0.99)));
        let rate = times.count as f64 / seconds;
        let kind = kind.name();
        let _ = writeln!(text, "{kind:>8}: {rate:>9.0}/s, median {median} µs, p99 {p99} µs");
        let value = json!({ "count": times.count, "per_second": rate, "median_us": median,
            "p99_us": p99 });
        kinds.insert(kind.to_string(), value);
    }
    let value = json!({
        "workload": name, "servers": servers, "clients": clients, "seconds": seconds,
        "operations": all.count, "per_second": rate, "median_us": us(all.quantile(0.5)),
        "p99_us": us(all.quantile(0.99)), "errors": errors, "kinds": Value::Object(kinds),
    });
    print(args.cluster.json, &value, &text)
}
