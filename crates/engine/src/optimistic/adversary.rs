//! An adversary between the threads: it delays and reorders messages, so that receivers speculate
//! far and have much to undo.
//!
//! It does only what a slow network could do: an anti-message follows its message, and the global
//! virtual time counts delayed messages. It depends on its seed, the round and the number of undone
//! events, not on the timing of threads.
use super::{log::LONGEST, traffic::Letter};
use crate::{
    PlantedBug, Stress,
    draw::mix,
    parallel::{
        barrier::Notes,
        mail::{OutgoingMail, Parcel},
        partition::Partition,
    },
};
use std::{mem, sync::atomic::Ordering::Relaxed};

/// Rounds for which a receiver keeps its delay.
const MOOD: u64 = 16;

/// By mood: a message leaves in one round of this number, on average.
const ONE_IN: [u64; 4] = [1, 3, 20, 100];

/// Undone events per certain one at which it stops delaying. More would only be echoes: each
/// anti-message is delayed, and with it the global virtual time, while more events are done and
/// undone.
const ENOUGH: u64 = 4;

/// Maximum batch of a thread with many LPs. It speculates one event per LP, so that a delayed
/// message finds something to undo at most LPs.
const WIDEST: u64 = 64 * LONGEST;

pub(super) struct Adversary<E> {
    stress: Stress,
    eases: bool,
    me: u64,
    /// Maximum events of a batch while it delays messages.
    reach: u64,
    /// By receiver: delayed messages, in the order of sending.
    held: Vec<Vec<Parcel<Letter<E>>>>,
    /// Anti-messages so far.
    recalled: u64,
}

impl<E> Adversary<E> {
    pub(super) fn new(stress: Stress, me: usize, partition: &Partition) -> Self {
        let held = (0..partition.threads()).map(|_| vec![]).collect();
        let reach = (partition.count(me) as u64).clamp(LONGEST, WIDEST);
        Adversary { stress, eases: false, me: me as u64, reach, held, recalled: 0 }
    }

    /// Maximum events of a batch; `None` while it delays no messages.
    pub(super) fn reach(&self) -> Option<u64> {
        (!self.eases).then_some(self.reach)
    }

    /// Call after a barrier, with the certain and undone events of all threads.
    pub(super) fn hears(&mut self, certain: u64, undone: u64) {
        self.eases = undone >= ENOUGH * (certain + LONGEST)
    }

    /// Delays and reorders a thread's messages before they are posted. The notes get the earliest
    /// delayed time.
    pub(super) fn stand_between(
        &mut self,
        round: u64,
        outgoing: &mut OutgoingMail<Letter<E>>,
        notes: &Notes,
    ) {
        for to in 0..self.held.len() {
            let luck = mix(self.stress.seed ^ mix(self.me << 32 | to as u64));
            let (bag, soonest) = outgoing.bag(to);
            self.lose(bag);
            self.held[to].append(bag);
            let mood = match self.eases {
                true => 0,
                false => mix(luck ^ (round / MOOD)) as usize % ONE_IN.len(),
            };
            // Parcels with one key leave together, so that an anti-message never overtakes its
            // message.
            let of_round = mix(luck ^ round);
            let goes = |p: &mut Parcel<_>| mix(of_round ^ mix(p.tie)).is_multiple_of(ONE_IN[mood]);
            bag.extend(self.held[to].extract_if(.., goes));
            bag.sort_by_key(|p| mix(of_round ^ p.tie));
            let first = |parcels: &[Parcel<_>]| parcels.iter().map(|p| p.t).min();
            let held = first(&self.held[to]).unwrap_or(u64::MAX);
            let held = if self.plants(PlantedBug::CommitsEarly) { u64::MAX } else { held };
            notes.held[to].store(held, Relaxed);
            *soonest = first(bag).unwrap_or(u64::MAX).min(held)
        }
    }

    fn plants(&self, fault: PlantedBug) -> bool {
        self.stress.planted == Some(fault)
    }

    /// The planted fault: loses every tenth anti-message.
    fn lose(&mut self, bag: &mut Vec<Parcel<Letter<E>>>) {
        if self.plants(PlantedBug::LosesRecall) {
            for parcel in mem::take(bag) {
                self.recalled += matches!(parcel.event, Letter::Never) as u64;
                if !matches!(parcel.event, Letter::Never) || !self.recalled.is_multiple_of(10) {
                    bag.push(parcel)
                }
            }
        }
    }
}
