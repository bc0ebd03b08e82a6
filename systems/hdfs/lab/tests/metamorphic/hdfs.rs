use engine::Draw;
use std::fmt::Write;

fn pick<'a>(draw: &mut Draw, from: &[&'a str]) -> &'a str {
    from[draw.below(from.len() as u64) as usize]
}

/// One node of a small cluster is lost.
pub fn plain(draw: &mut Draw) -> String {
    let mut text = String::new();
    let mut key = |key: &str, value: &str| {
        let _ = writeln!(text, "{key} = {value}");
    };
    key("cluster.racks", pick(draw, &["2", "3", "4"]));
    key("cluster.nodes_per_rack", pick(draw, &["4", "5", "6"]));
    key("hardware.disk", pick(draw, &["\"50MB/s\"", "\"100MB/s\"", "\"200MB/s\""]));
    key("hardware.disks_per_node", pick(draw, &["1", "2"]));
    key("hardware.nic", pick(draw, &["\"125MB/s\"", "\"1250MB/s\""]));
    key("hardware.inter_rack", pick(draw, &["\"125MB/s\"", "\"1250MB/s\""]));
    key("hardware.nic_latency", "\"0.1ms\"");
    key("hardware.inter_rack_latency", "\"0.1ms\"");
    key("workload.blocks_on_lost_node", pick(draw, &["60", "90", "120"]));
    key("workload.block_bytes", pick(draw, &["\"32MB\"", "\"64MB\"", "\"128MB\""]));
    key("policy.pacing", pick(draw, &["\"hdfs3\"", "\"hdfs3\"", "\"event-driven\""]));
    key("model.sharing", pick(draw, &["\"fluid\"", "\"fluid\"", "\"queue\""]));
    key("model.chunk", "\"4MB\"");
    text + "[[event]]\nat = \"0s\"\nkind = \"node-lost\"\ntarget = \"dn-r1-02\"\n"
}
