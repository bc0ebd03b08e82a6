//! `hdfs dfsadmin -report`: the only output with dead nodes and their host names.
use super::sniff::Kind;
use cluster::Admin;
use import::{ImportError, Issue, Lines, issue, quote};
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ReportedNode {
    pub(super) address: String,
    pub(super) host: Option<String>,
    pub(super) rack: Option<String>,
    pub(super) admin: Admin,
    pub(super) capacity: u64,
    pub(super) remaining: u64,
    pub(super) xceivers: u32,
    /// Replicas and internal blocks; `None` in Hadoop 2.
    pub(super) blocks: Option<u64>,
    pub(super) alive: bool,
    pub(super) line: u64,
}

#[derive(Default)]
pub(super) struct Report {
    pub(super) nodes: Vec<ReportedNode>,
    /// Under-replicated blocks by the NameNode's count.
    pub(super) under: Option<u64>,
    pub(super) has_live: bool,
    pub(super) has_dead: bool,
}

struct Section {
    title: String,
    announced: u64,
    found: u64,
    line: u64,
}

struct Record {
    name: String,
    line: u64,
    values: BTreeMap<String, (String, u64)>,
}

#[derive(Default)]
struct Reader {
    out: Report,
    section: Option<Section>,
    record: Option<Record>,
    /// Index in `out.nodes`, and the title of the node's last section.
    seen: BTreeMap<String, (usize, String)>,
}

pub(super) fn read(name: &str, lines: &mut Lines<'_>) -> Result<Report, ImportError> {
    let mut reader = Reader::default();
    loop {
        let number = lines.number + 1;
        let line = lines.next_line().map_err(|bad| bad.at(name, Some(number)))?;
        let Some(line) = line else { break };
        let text = std::str::from_utf8(line).map_err(|_| {
            let problem = format!("{} is not UTF-8", quote(line));
            issue(problem, "UTF-8").advice("Convert it with iconv.").at(name, Some(number))
        })?;
        reader.line(text, number).map_err(|(bad, at)| bad.at(name, Some(at)))?
    }
    let last = lines.number;
    reader.finish(last).map_err(|(bad, at)| bad.at(name, Some(at)))
}

type IssueAtLine = (Issue, u64);

impl Reader {
    fn line(&mut self, line: &str, number: u64) -> Result<(), IssueAtLine> {
        if let Some((title, announced)) = section(line) {
            self.end_section()?;
            self.out.has_live |= title == "Live";
            self.out.has_dead |= title == "Dead";
            self.section = Some(Section { title, announced, found: 0, line: number });
            return Ok(());
        }
        let Some((key, value)) = line.split_once(':') else {
            return if line.trim().is_empty() || line.starts_with("---") || self.section.is_none() {
                Ok(())
            } else {
                Err((issue(quote(line.as_bytes()), "`key: value`").advice(CUT), number))
            };
        };
        let (key, value) = (key.trim(), value.trim());
        if key == "Name" {
            self.end_record()?;
            self.record =
                Some(Record { name: value.into(), line: number, values: BTreeMap::new() });
        } else if let Some(record) = &mut self.record {
            record.values.insert(key.into(), (value.into(), number));
        } else if key == "Under replicated blocks" {
            self.out.under = value.parse().ok()
        } else if key == "report" && value.contains("denied") {
            return Err((denied(), number));
        }
        Ok(())
    }
    fn end_section(&mut self) -> Result<(), IssueAtLine> {
        self.end_record()?;
        match self.section.take() {
            Some(s) if s.found != s.announced => {
                let found = format!("{} of them follow", s.found);
                let expected = format!("{} {} datanodes", s.announced, s.title.to_lowercase());
                Err((issue(found, expected).advice(CUT), s.line))
            }
            _ => Ok(()),
        }
    }
    fn end_record(&mut self) -> Result<(), IssueAtLine> {
        let Some(record) = self.record.take() else { return Ok(()) };
        let Some(section) = &mut self.section else {
            let expected = "`Live datanodes (n):` above it";
            return Err((issue("a node outside of a section", expected).advice(CUT), record.line));
        };
        section.found += 1;
        let (title, line) = (section.title.clone(), record.line);
        let node = record.node(title != "Dead")?;
        match self.seen.get(&node.address) {
            // Decommissioning nodes and nodes in maintenance are listed in two sections.
            Some((at, before)) if *before != title => {
                let at = *at;
                self.out.nodes[at].alive &= node.alive;
                self.seen.insert(node.address, (at, title));
            }
            Some(_) => {
                let found = format!("{} twice among the {title} datanodes", node.address);
                return Err((issue(found, "each node once in a section"), line));
            }
            None => {
                self.seen.insert(node.address.clone(), (self.out.nodes.len(), title));
                self.out.nodes.push(node)
            }
        }
        Ok(())
    }
    fn finish(mut self, last: u64) -> Result<Report, IssueAtLine> {
        self.end_section()?;
        if self.out.nodes.is_empty() {
            return Err((denied(), last));
        }
        Ok(self.out)
    }
}

const CUT: &str = "The report is incomplete: copy or make it again.";

fn denied() -> Issue {
    issue("no node in the report", "`Live datanodes (n):` and a paragraph for each")
        .advice(format!("Run `{}` as HDFS's superuser.", Kind::Report.command()))
}

/// `Live datanodes (39):`.
fn section(line: &str) -> Option<(String, u64)> {
    let (title, rest) = line.split_once(" datanodes (")?;
    let number = rest.trim_end().strip_suffix("):")?;
    Some((title.to_string(), number.parse().ok()?))
}

impl Record {
    fn node(&self, alive: bool) -> Result<ReportedNode, IssueAtLine> {
        let (address, _) = self.name.split_once(' ').unwrap_or((&self.name, ""));
        let port = address.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
        if port.is_none() {
            let found = quote(self.name.as_bytes());
            return Err((issue(found, "`Name: ip:port (host)`"), self.line));
        }
        self.text("Last contact")?;
        let (admin, at) = self.text("Decommission Status")?;
        let xceivers = self.optional("Xceivers")?.unwrap_or(0);
        Ok(ReportedNode {
            address: address.into(),
            host: self
                .values
                .get("Hostname")
                .map(|(host, _)| host.clone())
                .filter(|h| !h.is_empty()),
            rack: self.values.get("Rack").map(|(rack, _)| rack.clone()),
            admin: admin_state(admin).map_err(|bad| (bad, at))?,
            capacity: self.number("Configured Capacity")?,
            remaining: self.number("DFS Remaining")?,
            xceivers: u32::try_from(xceivers).unwrap_or(u32::MAX),
            blocks: self.optional("Num of Blocks")?,
            alive,
            line: self.line,
        })
    }
    fn text(&self, key: &str) -> Result<(&str, u64), IssueAtLine> {
        match self.values.get(key) {
            Some((value, line)) => Ok((value, *line)),
            None => {
                let found = format!("{} without `{key}:`", self.name);
                Err((issue(found, format!("`{key}: ..`")).advice(CUT), self.line))
            }
        }
    }
    fn number(&self, key: &str) -> Result<u64, IssueAtLine> {
        let (value, line) = self.text(key)?;
        let digits = value.split(' ').next().unwrap_or("");
        let not = || (issue(format!("{key}: `{value}`"), "a number of bytes, not negative"), line);
        digits.parse().map_err(|_| not())
    }
    fn optional(&self, key: &str) -> Result<Option<u64>, IssueAtLine> {
        self.values.contains_key(key).then(|| self.number(key)).transpose()
    }
}

/// States of `-report` and `-printTopology` (`AdminStates.toString`), in any case.
pub(super) fn admin_state(text: &str) -> Result<Admin, Issue> {
    Ok(match text.to_ascii_lowercase().as_str() {
        "normal" | "in service" => Admin::InService,
        "decommission in progress" => Admin::Decommissioning,
        "decommissioned" => Admin::Decommissioned,
        "entering maintenance" => Admin::EnteringMaintenance,
        "in maintenance" => Admin::InMaintenance,
        _ => {
            let known = "Normal (In Service), Decommission in progress, Decommissioned, \
                         Entering maintenance or In maintenance";
            return Err(issue(quote(text.as_bytes()), known));
        }
    })
}
