//! Nodes with wrong blocks that have valid checksums.
//!
//! Such a block passes all checks of its node. The object's SHA-256 reveals it, or in a scrub a
//! parity that contradicts the data. The client then reads the object without one node, and without
//! two, until the SHA-256 matches. The right data give the checksum of every block, and so the
//! wrong blocks and their nodes.
use super::blocks::{Blocks, Sums, broken_equations, parts};
use super::reader::Want;
use super::survey::FoundVersion;
use super::walk::{Course, RepairReport};
use super::{Client, Error, Watch};
use crate::digest::{of_xor, of_zeros};
use crate::transport::Transport;
use sha2::{Digest, Sha256};
use xor_protocol::object::Shape;
use xor_protocol::{Cell, Layout};

impl<T: Transport> Client<T> {
    /// Finds the wrong blocks of an object whose SHA-256 or parities do not match. `None` if no
    /// read without a permitted number of nodes matches.
    pub(super) fn find_wrong(
        &mut self,
        found: &FoundVersion,
        watch: Watch<'_>,
    ) -> Result<Option<Blocks>, Error> {
        let (layout, shape) = found.entry.geometry().map_err(Error::BadInput)?;
        let reported = self.sums_of(found, (&layout, shape), &mut *watch)?;
        let lacking = |node: &usize| !found.states[*node].is_readable() || !self.is_up(*node);
        let lost: Vec<usize> = (0..layout.nodes()).filter(lacking).collect();
        for left_out in candidates(&layout, shape, &reported, &lost) {
            let without: Vec<usize> = lost.iter().chain(&left_out).copied().collect();
            match self.right_sums(found, (&layout, shape), without, &mut *watch) {
                Ok(Some(right)) => {
                    return Ok(Some(differing(&layout, &reported, &right, &left_out)));
                }
                Ok(None) | Err(Error::Failed(_)) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(None)
    }

    /// Checksums of all blocks as they are now.
    fn sums_of(
        &mut self,
        found: &FoundVersion,
        (layout, shape): (&Layout, Shape),
        watch: Watch<'_>,
    ) -> Result<Sums, Error> {
        let nodes: Vec<usize> = (0..layout.nodes()).collect();
        let mut all = Sums::new();
        for part in parts(layout, shape) {
            if !watch(0, found.entry.length) {
                return Err(Error::Stopped);
            }
            all.extend(self.check_blocks(found, layout, &nodes, part).sums)
        }
        Ok(all)
    }

    /// The right checksum of each block, if the SHA-256 matches in a read without these nodes.
    fn right_sums(
        &mut self,
        found: &FoundVersion,
        (layout, shape): (&Layout, Shape),
        without: Vec<usize>,
        watch: Watch<'_>,
    ) -> Result<Option<Vec<Vec<u32>>>, Error> {
        let cells = layout.homes().to_vec();
        let want = Want { stripes: None, cells, without, bad: Blocks::new() };
        let mut reader = self.open_reader(&found.entry, want)?;
        let (mut sha, mut done, mut right, mut data) = (Sha256::new(), 0, Vec::new(), Vec::new());
        let (length, blocks) = (found.entry.length, layout.data());
        let drained = self.drain(&mut reader, &mut |bytes| {
            sha.update(bytes);
            done += bytes.len() as u64;
            let whole = shape.block_of(right.len() as u64) as usize;
            let sum = crc32c::crc32c(bytes);
            data.push(append_zeros(sum, whole - bytes.len()));
            if data.len() == blocks {
                right.push(parities(layout, &data, of_zeros(whole)));
                data.clear()
            }
            if watch(done, length) { Ok(true) } else { Err(Error::Stopped) }
        });
        self.close_reader(reader);
        drained?;
        Ok((<[u8; 32]>::from(sha.finalize()) == found.entry.sha256).then_some(right))
    }

    /// Finds wrong blocks of an object with violated parities, in a scrub. Parities that they
    /// explain no longer count as inconsistent.
    pub(super) fn locate_wrong_blocks(
        &mut self,
        found: &FoundVersion,
        inconsistent_before: u64,
        scrubbed: &mut RepairReport,
        course: &mut Course<'_>,
    ) -> Result<Blocks, Error> {
        if scrubbed.inconsistent == inconsistent_before {
            return Ok(Blocks::new());
        }
        let wrong = self.find_wrong(found, &mut |done, _| course.at(done).is_ok())?;
        let Some(wrong) = wrong.filter(|wrong| !wrong.is_empty()) else { return Ok(Blocks::new()) };
        scrubbed.inconsistent = inconsistent_before;
        Ok(wrong)
    }
}

fn append_zeros(sum: u32, zeros: usize) -> u32 {
    crc32c::crc32c_append(sum, &vec![0; zeros])
}

/// Checksums of all blocks of a stripe, from those of its data.
fn parities(layout: &Layout, data: &[u32], zeros: u32) -> Vec<u32> {
    let sum = |cell: Cell| of_xor(layout.contents(cell).iter().map(|&d| data[d]), zeros);
    layout.cells().map(sum).collect()
}

/// Blocks with a valid, but wrong checksum. If there are none, the blocks were forged to match:
/// then all blocks of the excluded nodes are wrong.
fn differing(layout: &Layout, reported: &Sums, right: &[Vec<u32>], left_out: &[usize]) -> Blocks {
    let mut wrong = Blocks::new();
    for (stripe, (reported, right)) in (0..).zip(reported.iter().zip(right)) {
        let is_wrong = |cell: &Cell| {
            let at = layout.index(*cell);
            reported[at].is_some_and(|sum| sum != right[at])
        };
        let cells: Vec<Cell> = layout.cells().filter(is_wrong).collect();
        if !cells.is_empty() {
            wrong.insert(stripe, cells);
        }
    }
    if wrong.is_empty() {
        let all: Vec<Cell> = left_out.iter().flat_map(|&node| layout.cells_of(node)).collect();
        wrong.extend((0..reported.len() as u64).map(|stripe| (stripe, all.clone())))
    }
    wrong
}

/// Sets of nodes to exclude, the likeliest first: one node, then two. A node is likely if the
/// others' checksums are consistent without it in many stripes.
fn candidates(layout: &Layout, shape: Shape, reported: &Sums, lost: &[usize]) -> Vec<Vec<usize>> {
    let most = layout.losses().saturating_sub(lost.len());
    let mut nodes: Vec<usize> = (0..layout.nodes()).filter(|node| !lost.contains(node)).collect();
    let mut explained = vec![0u64; layout.nodes()];
    for (stripe, sums) in (0..).zip(reported) {
        let zeros = of_zeros(shape.block_of(stripe) as usize);
        let known = without(layout, sums, lost);
        if fits(layout, &known, zeros) {
            continue;
        }
        for &node in &nodes {
            let others = without(layout, &known, &[node]);
            explained[node] += u64::from(fits(layout, &others, zeros))
        }
    }
    nodes.sort_by_key(|&node| std::cmp::Reverse(explained[node]));
    let singles = nodes.iter().map(|&node| vec![node]).filter(|_| most >= 1);
    let pairs = nodes
        .iter()
        .enumerate()
        .flat_map(|(at, &one)| nodes[at + 1..].iter().map(move |&other| vec![one, other]));
    singles.chain(pairs.filter(|_| most >= 2)).collect()
}

fn without(layout: &Layout, sums: &[Option<u32>], nodes: &[usize]) -> Vec<Option<u32>> {
    let keep = |(cell, sum): (Cell, &Option<u32>)| sum.filter(|_| !nodes.contains(&cell.node));
    layout.cells().zip(sums).map(keep).collect()
}

/// The known checksums of a stripe are consistent.
fn fits(layout: &Layout, sums: &[Option<u32>], zeros: u32) -> bool {
    broken_equations(layout, sums, zeros) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With four or more nodes one liar is the first candidate; with three it may be any node.
    #[test]
    fn the_likeliest_is_first() {
        for nodes in 4..=8 {
            let layout = Layout::best(nodes).expect("a layout");
            let shape = Shape::new(&layout, 640 * layout.data() as u64, 64).expect("a shape");
            let zeros = of_zeros(64);
            let sums = |stripe: u32| {
                let block = |data: usize| crc32c::crc32c(&[data as u8 ^ stripe as u8; 64]);
                let data: Vec<u32> = (0..layout.data()).map(block).collect();
                parities(&layout, &data, zeros).into_iter().map(Some).collect::<Vec<_>>()
            };
            let right: Sums = (0..10).map(sums).collect();
            assert!(right.iter().all(|sums| fits(&layout, sums, zeros)));
            for liar in layout.cells() {
                let mut reported = right.clone();
                reported[3][layout.index(liar)] = Some(77);
                assert!(!fits(&layout, &reported[3], zeros));
                let order = candidates(&layout, shape, &reported, &[]);
                assert_eq!(order[0], [liar.node], "{nodes} nodes, {liar:?}");
                assert_eq!(order.len(), nodes + nodes * (nodes - 1) / 2);
                let other = (liar.node + 1) % nodes;
                assert!(
                    candidates(&layout, shape, &reported, &[other]).iter().all(|c| c.len() == 1)
                );
            }
        }
    }
}
