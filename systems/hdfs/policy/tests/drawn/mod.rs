//! Parser of hand-drawn clusters: the cases of the text tables.
use cluster::{Admin, BlockIndex, NodeId, RackId};
use hdfs_policy::rereplication::{LostBlock, Memory, Refused, Source};
use hdfs_policy::{Dice, NodeView, Uplink, View};
use units::Bytes;

const BLOCK: Bytes = Bytes::mib(128);

/// One case: a cluster, one kind of block, and the request.
pub struct Case {
    /// Rack names in order; a node is called by its rack and place, from 1.
    racks: Vec<String>,
    nodes: Vec<NodeView>,
    by_rack: Vec<Vec<NodeId>>,
    live: Vec<NodeId>,
    sources: Vec<Source>,
    taken: Vec<NodeId>,
    expected: u16,
    only_rack: bool,
    inside: Vec<(NodeId, u32)>,
    outside: Vec<(NodeId, u32)>,
    promised: Vec<(usize, u32)>,
    dice: Vec<u64>,
    load_factor: Option<f64>,
    avoid_stale: bool,
    uplinks: Vec<Uplink>,
    /// Number of equal blocks, repaired one after another.
    pub times: u32,
    /// Writer of a new block, if it is a node.
    pub writer: Option<NodeId>,
    pub replicas: Option<u16>,
}

impl Case {
    pub fn read(lines: &[&str]) -> Case {
        let mut case = Case {
            racks: Vec::new(),
            nodes: Vec::new(),
            by_rack: Vec::new(),
            live: Vec::new(),
            sources: Vec::new(),
            taken: Vec::new(),
            expected: 3,
            only_rack: false,
            inside: Vec::new(),
            outside: Vec::new(),
            promised: Vec::new(),
            dice: Vec::new(),
            load_factor: Some(2.0),
            avoid_stale: true,
            uplinks: Vec::new(),
            times: 1,
            writer: None,
            replicas: None,
        };
        for line in lines {
            let (key, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            case.line(key, &words.split_whitespace().collect::<Vec<_>>());
        }
        case
    }

    fn line(&mut self, key: &str, words: &[&str]) {
        let number = || words[0].parse().unwrap_or_else(|_| panic!("{key} {words:?}: no number"));
        match key {
            "expected" => self.expected = number(),
            "replicas" => self.replicas = Some(number()),
            "times" => self.times = number().into(),
            "only-rack" => self.only_rack = true,
            "use-stale" => self.avoid_stale = false,
            "writer" => self.writer = Some(self.node(words[0])),
            "dice" => {
                self.dice = words.iter().map(|word| word.parse().expect("a number")).collect()
            }
            "I" => self.inside = words.iter().map(|word| self.count(word)).collect(),
            "O" => self.outside = words.iter().map(|word| self.count(word)).collect(),
            "promised" => {
                let rack = |name| self.racks.iter().position(|rack| rack == name).expect("a rack");
                let counts = words.iter().map(|word| word.split_once('=').expect("rack=n"));
                self.promised = counts.map(|(r, n)| (rack(r), n.parse().expect("n"))).collect();
            }
            "sending" | "receiving" | "disk" => self.streams(key, words),
            "uplink" => self.uplinks = words.iter().map(|word| uplink(word)).collect(),
            rack => self.rack(rack, words),
        }
    }

    /// Reads copies under way at nodes, or from the disks of replicas.
    fn streams(&mut self, key: &str, words: &[&str]) {
        for (id, n) in words.iter().map(|word| self.count(word)).collect::<Vec<_>>() {
            match key {
                "sending" => self.nodes[id.at()].sending = n,
                "receiving" => self.nodes[id.at()].receiving = n,
                _ => {
                    let of = self.sources.iter_mut().filter(|s| s.node == id);
                    of.for_each(|s| s.disk_streams = n)
                }
            }
        }
    }

    fn rack(&mut self, name: &str, marks: &[&str]) {
        let rack = RackId(self.racks.len() as u32);
        self.racks.push(name.to_string());
        self.by_rack.push(Vec::new());
        for mark in marks {
            let id = NodeId(self.nodes.len() as u32);
            self.by_rack[rack.at()].push(id);
            self.nodes.push(NodeView::new(rack, Bytes::mib(1024)));
            self.mark(id, mark);
        }
    }

    fn mark(&mut self, id: NodeId, mark: &str) {
        let node = &mut self.nodes[id.at()];
        node.xceivers = 4;
        match mark {
            "." | "H" | "B" | "P" => {}
            "F" => node.free = Bytes(BLOCK.0 - 1),
            "S" => node.stale = true,
            "C" => node.xceivers = 40,
            "X" => node.alive = false,
            "l" | "L" => node.admin = Admin::Decommissioning as u8,
            "G" => node.admin = Admin::Decommissioned as u8,
            other => panic!("{other}: no such mark"),
        }
        if matches!(mark, "H" | "B") {
            self.live.push(id);
        }
        if matches!(mark, "H" | "B" | "L" | "G") {
            self.sources.push(Source::new(id, mark != "B"));
        }
        if matches!(mark, "H" | "B" | "L" | "G" | "P") {
            self.taken.push(id);
        }
    }

    fn count(&self, word: &str) -> (NodeId, u32) {
        let (name, count) = word.split_once('=').expect("node=n");
        (self.node(name), count.parse().expect("n"))
    }

    fn node(&self, name: &str) -> NodeId {
        let all = (0..self.nodes.len() as u32).map(NodeId);
        all.into_iter().find(|&id| self.name(id) == name).unwrap_or_else(|| panic!("node {name}?"))
    }

    pub fn name(&self, id: NodeId) -> String {
        let rack = self.nodes[id.at()].rack.at();
        let place = self.by_rack[rack].iter().position(|&other| other == id).expect("listed");
        format!("{}{}", self.racks[rack], place + 1)
    }

    pub fn view(&self) -> View<'_> {
        let serving = || self.nodes.iter().filter(|node| node.in_service());
        let load = (serving().map(|n| u64::from(n.xceivers)).sum(), serving().count() as u32);
        let (nodes, racks) = (&self.nodes, &self.by_rack);
        let Case { load_factor, avoid_stale, .. } = *self;
        View { nodes, racks, load_factor, load, avoid_stale, uplinks: &self.uplinks }
    }

    pub fn block(&self, number: u32) -> LostBlock<'_> {
        LostBlock {
            block: BlockIndex(number),
            bytes: BLOCK,
            expected: self.expected,
            live: &self.live,
            sources: &self.sources,
            taken: &self.taken,
            only_rack: self.only_rack,
        }
    }

    pub fn live(&self) -> &[NodeId] {
        &self.live
    }

    pub fn memory(&self) -> Memory {
        let mut memory = Memory::new(self.nodes.len(), self.racks.len());
        self.inside.iter().for_each(|&(id, n)| memory.inside.set(id.at(), n));
        self.outside.iter().for_each(|&(id, n)| memory.outside.set(id.at(), n));
        self.promised.iter().for_each(|&(rack, n)| memory.to_rack.set(rack, n));
        memory
    }

    /// The random numbers of the case in order, each modulo `n`; then zeros.
    pub fn dice(&self) -> impl Dice + use<> {
        let mut answers = self.dice.clone().into_iter();
        move |n: u64| answers.next().unwrap_or(0) % n
    }

    pub fn refusal(&self, refused: Refused) -> String {
        match refused {
            Refused::NoSource => "no source".to_string(),
            Refused::SourceBusy(id) => format!("waits for {}", self.name(id)),
            Refused::NoTarget => "no target".to_string(),
            Refused::TargetsLoaded => "targets loaded".to_string(),
            Refused::UplinkBusy(rack) => format!("waits for rack {}", self.racks[rack.at()]),
            Refused::NotDrawn(id) => format!("{} is not drawn", self.name(id)),
            Refused::RingClosed => "ring closed".to_string(),
        }
    }
}

/// `leaving/entering/carries`
fn uplink(word: &str) -> Uplink {
    let mut numbers = word.split('/').map(|n| n.parse().expect("a number"));
    let mut next = || numbers.next().expect("leaving/entering/carries");
    Uplink { leaving: next(), entering: next(), carries: next() }
}
