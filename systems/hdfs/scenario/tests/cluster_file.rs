//! Both sides of a cluster file: what is written is read again.
use crate::common::{Draw, SHOP, golden};
use cluster::*;
use hdfs_scenario::*;
use std::path::Path;
use units::Bytes;

fn read(text: &str) -> Imported {
    cluster_file::read_str(text, Path::new("shop.toml")).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn it_looks_so() {
    let imported = read(SHOP);
    assert_eq!(imported.cluster.nodes[2].disks, 0, "not told");
    let text = cluster_file::write(&imported);
    golden("cluster_file.toml", &text);
    assert_eq!(read(&text), imported);
}

fn text(draw: &mut Draw) -> String {
    const LETTERS: [char; 16] = [
        'a', 'b', '"', '\\', '\n', '\t', '#', '=', ']', '{', 'é', '天', '\u{1}', '\u{7f}', ' ',
        '\'',
    ];
    let word: String = (0..draw.below(6)).map(|_| LETTERS[draw.below(LETTERS.len())]).collect();
    format!("x{word}")
}

fn node(draw: &mut Draw, i: usize, racks: usize) -> Node {
    use Admin::*;
    let admins = [InService, Decommissioning, Decommissioned, EnteringMaintenance, InMaintenance];
    Node {
        host: text(draw),
        address: format!("{}:{i}", text(draw)),
        rack: RackId(draw.below(racks) as u32),
        alive: draw.below(3) > 0,
        admin: admins[draw.below(5)],
        capacity: Bytes(draw.next() >> 1),
        remaining: Bytes(draw.next() >> (1 + draw.below(60))),
        xceivers: draw.next() as u32,
        disks: draw.below(25) as u16,
    }
}

fn synthesis(draw: &mut Draw, nodes: usize) -> Synthesis {
    let mut held =
        || NodeContent { blocks: draw.below(1 << 20) as u64, used: Bytes(draw.next() >> 1) };
    let held: Vec<NodeContent> = (0..nodes).map(|_| held()).collect();
    let coded = draw.below(2) == 0;
    Synthesis {
        blocks: draw.below(1 << 20) as u64,
        under_replicated: draw.below(9) as u64,
        groups: if coded { 1 + draw.below(9) as u64 } else { 0 },
        coded: if coded { (6, 3) } else { (0, 0) },
        concerned: held.iter().map(|held| held.blocks).sum::<u64>() > Synthesis::WHOLE,
        held,
    }
}

fn imported(draw: &mut Draw) -> Imported {
    let racks = 1 + draw.below(4);
    let nodes: Vec<Node> = (0..1 + draw.below(8)).map(|i| node(draw, i, racks)).collect();
    let of_rack = |rack: usize| {
        let ids = nodes.iter().zip(0..).filter(|(n, _)| n.rack.at() == rack);
        ids.map(|(_, id)| NodeId(id)).collect()
    };
    let rack =
        |i: usize| Rack { name: format!("/{}{i}", text(&mut Draw(i as u64))), nodes: of_rack(i) };
    let racks = (0..racks).map(rack).collect();
    let count = nodes.len();
    let cluster = Cluster { name: text(draw), nodes, racks };
    let site =
        (0..draw.below(4)).map(|i| (format!("dfs.{i}.{}", text(draw)), text(draw))).collect();
    let blocks = match draw.below(3) {
        0 => None,
        1 => Some(ImportedBlocks::File(BlockFile {
            file: text(draw),
            sha256: format!("{:064x}", draw.next()),
            blocks: draw.next() >> 1,
            replicas: draw.next() >> 1,
        })),
        _ => Some(ImportedBlocks::Synthesised(synthesis(draw, count))),
    };
    let found =
        SourcedValue { key: "disks_per_node".into(), value: "4".into(), source: "x # y".into() };
    let hardware = if draw.below(2) == 0 { vec![found] } else { vec![] };
    let sources = (0..draw.below(3)).map(|_| text(draw)).collect();
    let namenode = (draw.below(2) == 0).then(|| text(draw));
    let hadoop = (draw.below(2) == 0).then(|| text(draw));
    let finals = (0..draw.below(3)).map(|_| text(draw)).collect();
    let site_names = (0..draw.below(3)).map(|_| text(draw)).collect();
    let (date, hdfs_site) = (text(draw), site);
    Imported {
        cluster,
        sources,
        date,
        namenode,
        hadoop,
        hardware,
        hdfs_site,
        finals,
        site_names,
        blocks,
    }
}

#[test]
fn what_is_written_is_read_again() {
    for seed in 0..2_000 {
        let before = imported(&mut Draw(seed));
        let text = cluster_file::write(&before);
        let after = read(&text);
        assert_eq!(after, before, "seed {seed}\n{text}");
    }
}
