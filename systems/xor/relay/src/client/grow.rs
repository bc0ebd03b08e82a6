//! Growth of a cluster by one node: each object is rewritten for the larger layout. All objects
//! stay readable and writable.
//!
//! A rewritten object has the generation of its source and a higher id. So every later write of the
//! name is newer, and a removal takes both.
use super::findings::Findings;
use super::get::Stream;
use super::put::Content;
use super::survey::FoundVersion;
use super::walk::RepairReport;
use super::{Client, Error, Strategy, Watch, random};
use crate::transport::Transport;
use crate::wire::{Entry, Member};
use xor_protocol::commit::Version;

const ALL: &str = "growth needs all nodes of the cluster";

/// Adds the last node of a list to the cluster of the others and spreads all objects over all
/// nodes. `writer` and `reader` are two clients of the new list. After a failure, repeating the
/// call resumes.
///
/// # Errors
/// A node does not answer or belongs to another cluster, or `watch` stops.
pub fn grow<T: Transport>(
    writer: &mut Client<T>,
    reader: &mut Client<T>,
    watch: Watch<'_>,
) -> Result<RepairReport, Error> {
    let what = format!("grow --with {}", writer.address(writer.peers.len() - 1));
    writer.locked(&what, |writer| grow_locked(writer, reader, watch))
}

/// The findings of a growth; changes nothing.
///
/// # Errors
/// A node does not answer or belongs to another cluster.
pub fn look_before_growing<T: Transport>(client: &mut Client<T>) -> Result<Findings, Error> {
    client.check_growth()?;
    client.look(&[])
}

fn grow_locked<T: Transport>(
    writer: &mut Client<T>,
    reader: &mut Client<T>,
    watch: Watch<'_>,
) -> Result<RepairReport, Error> {
    writer.begin_to_grow()?;
    reader.identify_again()?;
    let nodes = writer.peers.len();
    let is_old = |found: &FoundVersion| usize::from(found.entry.nodes) < nodes;
    let grown = writer.walk(watch, is_old, |writer, found, grown, course| {
        let result = writer.rewrite(reader, found, &mut |within, _| course.at(within).is_ok());
        if grown.note(format!("{:?}", found.entry.name), result)? == Some(true) {
            grown.rewritten += 1;
            grown.bytes += found.entry.length
        }
        Ok(())
    })?;
    writer.end_growth()?;
    Ok(grown)
}

impl<T: Transport> Client<T> {
    /// Sends the new list to all nodes that lack it.
    fn begin_to_grow(&mut self) -> Result<(), Error> {
        let is_told = self.check_growth()?;
        self.has_entered = true;
        if !is_told {
            return self.begin_epoch();
        }
        let all = self.all_up();
        self.tell(&all, false);
        self.need_all(ALL)
    }

    /// Checks that the nodes are a cluster and a new node, or already the grown cluster. Returns
    /// whether all know the new list.
    fn check_growth(&mut self) -> Result<bool, Error> {
        let what = ALL;
        self.need_all(what)?;
        let memberships = self.query_membership();
        self.need_all(what)?;
        if let Some((node, _)) = memberships.iter().find(|(_, member)| member.is_filling()) {
            return Err(self.failed_at(*node, what, &self.half_full(*node)));
        }
        let members: Vec<&Member> = memberships.iter().map(|(_, member)| member).collect();
        let (last, former) = members.split_last().expect("at least three nodes");
        let before = former.len() as u8;
        let cluster = former[0].cluster;
        for (node, member) in former.iter().enumerate() {
            let is_in = member.cluster == cluster && usize::from(member.index) == node;
            let knows = member.addresses.last() == self.peers.last().map(|peer| &peer.address);
            let is_next = member.nodes == before || member.nodes == before + 1 && knows;
            if cluster == 0 || !is_in || !is_next {
                return Err(self.not_to_grow(node, member));
            }
        }
        let is_new = last.cluster == 0 && last.nodes == 0;
        let is_in = last.cluster == cluster && (last.nodes, last.index) == (before + 1, before);
        if !is_new && !is_in {
            return Err(self.not_to_grow(former.len(), last));
        }
        (self.is_identified, self.cluster) = (true, cluster);
        self.least = former.iter().map(|member| member.least).min().unwrap_or(before);
        self.epoch = members.iter().map(|member| member.epoch).max().unwrap_or(0);
        self.refuse_half_told(former)?;
        Ok(!is_new && former.iter().all(|member| member.nodes > before))
    }

    /// Fails if a node lacks the newest list: it was replaced, or a replacement has not ended.
    fn refuse_half_told(&self, former: &[&Member]) -> Result<(), Error> {
        let Some(newest) = former.iter().max_by_key(|m| m.epoch) else { return Ok(()) };
        for (node, member) in former.iter().enumerate() {
            let is_behind = member.nodes == newest.nodes && member.epoch < newest.epoch;
            if is_behind && newest.addresses.get(node) != Some(&self.peers[node].address) {
                return Err(self.other_list_of(&newest.addresses, node));
            }
        }
        Ok(())
    }

    fn other_list_of(&self, known: &[String], node: usize) -> Error {
        let (given, known) = (self.list().join(","), known.join(","));
        let lost = format!("{} has been replaced", self.named(node));
        Error::BadInput(format!(
            "no changes were made: {lost}; given: {given}; the cluster’s list: {known}"
        ))
    }

    fn not_to_grow(&self, node: usize, member: &Member) -> Error {
        let before = self.peers.len() - 1;
        let advice = match (node == before, member.cluster) {
            (true, _) => "a new node must be empty, with its own folder".to_string(),
            (false, 0) => "first make a cluster of the others: `tenbin relay init`".to_string(),
            (false, _) => format!("the first {before} of the list must be the growing cluster"),
        };
        Error::BadInput(format!("{}: {}: {advice}", self.named(node), member.describe()))
    }

    /// Rewrites an object for all nodes. False if it was removed or overwritten meanwhile.
    fn rewrite(
        &mut self,
        reader: &mut Client<T>,
        found: &FoundVersion,
        watch: Watch<'_>,
    ) -> Result<bool, Error> {
        let old = &found.entry;
        let version = Version { generation: old.version.generation, id: above(old.version.id)? };
        let entry = Entry::new(&old.name, version, &self.layout, old.length, old.block);
        let stream = reader.open_stream(found)?;
        let mut content = FromCluster { found, reader, stream, ahead: Vec::new(), at: 0 };
        let written = self.write(entry, Strategy::Auto, &mut content, watch);
        let FromCluster { reader, stream, .. } = content;
        reader.close_stream(stream);
        match written {
            Ok(_) => self.resolve(&old.name).map(|()| true),
            Err(Error::Stopped) => Err(Error::Stopped),
            Err(_) if !reader.is_newest(found)? => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// No client has written or removed the object since.
    fn is_newest(&mut self, found: &FoundVersion) -> Result<bool, Error> {
        let all = self.survey(&found.entry.name)?;
        let newest = all.iter().map(|found| found.entry.version).max();
        Ok(newest == Some(found.entry.version))
    }

    /// All objects have the new layout: from now on, ones of smaller layouts are foreign.
    fn end_growth(&mut self) -> Result<(), Error> {
        let versions = self.survey_all()?.objects.into_values().flatten();
        let least = versions.map(|found| found.entry.nodes).min();
        let all = self.peers.len() as u8;
        match least.is_none_or(|least| least >= all) && self.least < all {
            true => {
                self.least = all;
                self.begin_epoch()
            }
            false => Ok(()),
        }
    }
}

struct FromCluster<'a, T> {
    found: &'a FoundVersion,
    reader: &'a mut Client<T>,
    stream: Stream,
    ahead: Vec<u8>,
    /// Bytes of `ahead` already used.
    at: usize,
}

impl<T: Transport> Content for FromCluster<'_, T> {
    fn fetch(&mut self, length: usize) -> Result<(), Error> {
        self.ahead.resize(length, 0);
        self.at = 0;
        self.reader.read_on(&mut self.stream, &mut self.ahead)
    }
    fn fill(&mut self, _: u64, to: &mut [u8]) -> std::io::Result<()> {
        to.copy_from_slice(&self.ahead[self.at..][..to.len()]);
        self.at += to.len();
        Ok(())
    }
    /// The sessions are open: a later removal ends them.
    fn check(&mut self, sha256: [u8; 32]) -> Result<(), Error> {
        match sha256 == self.found.entry.sha256 && self.reader.is_newest(self.found)? {
            true => Ok(()),
            false => Err(Error::Failed("not the object to rewrite".into())),
        }
    }
}

/// A random id above this one.
fn above(id: u128) -> Result<u128, Error> {
    match u128::MAX - id {
        0 => Err(Error::Failed("no higher object id is left: write the object again".into())),
        room => Ok(id + 1 + random()? % room),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_id_is_above_another() {
        for id in [0, 1, u128::MAX / 2, u128::MAX - 1] {
            assert!(super::above(id).expect("there is room") > id)
        }
        assert!(super::above(u128::MAX).is_err());
    }
}
