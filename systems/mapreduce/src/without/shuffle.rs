//! The copy phase of a reduce: copies outputs of all maps, a few at a time, into a buffer that
//! spills.
use crate::settings::{Settings, beyond};
use engine::Draw;

/// Node and disk of a map output.
pub(super) type Output = (u32, u32);

pub(super) enum ReduceAction {
    /// `in_memory`: the output is cached on its node.
    Copy { output: Output, in_memory: bool },
    /// Bytes to write from the buffer to disk.
    Spill(u64),
}

pub(super) struct Shuffle<'a> {
    settings: &'a Settings,
    draw: Draw,
    /// Bytes per output.
    pub(super) part: u64,
    /// Known outputs that are not requested yet.
    unasked: Vec<Output>,
    copies: u32,
    copied: u32,
    /// Bytes in the buffer; `writing`: being written to disk; `on_disk`: written.
    in_memory: u64,
    writing: u64,
    pub(super) on_disk: u64,
}

impl<'a> Shuffle<'a> {
    /// For a reduce that receives `bytes`; `known`: outputs already available.
    pub(super) fn new(
        settings: &'a Settings,
        bytes: u64,
        known: &[Output],
        draw: Draw,
    ) -> Shuffle<'a> {
        Shuffle {
            settings,
            draw,
            part: bytes / u64::from(settings.maps),
            unasked: known.to_vec(),
            copies: 0,
            copied: 0,
            in_memory: 0,
            writing: 0,
            on_disk: 0,
        }
    }

    pub(super) fn add_output(&mut self, output: Output) {
        self.unasked.push(output)
    }

    pub(super) fn end_copy(&mut self) {
        self.copies -= 1;
        self.copied += 1;
        self.in_memory += self.part
    }

    pub(super) fn end_spill(&mut self, bytes: u64) {
        self.writing -= bytes;
        self.on_disk += bytes
    }

    pub(super) fn is_over(&self) -> bool {
        self.copied == self.settings.maps && self.writing == 0
    }

    /// Bytes to write from the buffer to disk when all outputs have arrived.
    pub(super) fn last_spill(&self) -> u64 {
        beyond(self.in_memory, self.settings.kept, self.part)
    }

    /// The next action; `None`: it has to wait.
    pub(super) fn next(&mut self) -> Option<ReduceAction> {
        let Settings { buffer, copies, cached, .. } = *self.settings;
        // Hadoop 1.x spills at two thirds of the buffer.
        if self.in_memory > 0 && self.in_memory * 3 >= buffer * 2 {
            return Some(self.spill());
        }
        if self.unasked.is_empty() || self.copies >= copies {
            return None;
        }
        let taken = self.in_memory + u64::from(self.copies) * self.part + self.writing;
        if taken + self.part > buffer {
            if self.copies > 0 || self.writing > 0 {
                return None;
            }
            // Nothing in progress will free the buffer.
            if self.in_memory > 0 {
                return Some(self.spill());
            }
        }
        let any = units::usize_of(self.draw.below(self.unasked.len() as u64));
        self.copies += 1;
        let output = self.unasked.swap_remove(any);
        Some(ReduceAction::Copy { output, in_memory: self.draw.chance(cached) })
    }

    fn spill(&mut self) -> ReduceAction {
        let bytes = std::mem::take(&mut self.in_memory);
        self.writing += bytes;
        ReduceAction::Spill(bytes)
    }
}
