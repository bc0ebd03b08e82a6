//! An adversary between the threads: it holds messages back and turns their order round, so that
//! receivers go far ahead of what is still to come, and have much to undo.
//!
//! It does what a slow network could do, and no more: what is called back comes behind the message
//! itself, and the global virtual time counts what is held back. What it does follows from its
//! seed, the round, and what was undone until then; who is how far in a round does not.
use super::{log::LONGEST, traffic::Letter};
use crate::{
    Planted, Stress,
    draw::mix,
    parallel::{
        barrier::Notes,
        mail::{Outgoing, Parcel},
        partition::Partition,
    },
};
use std::{mem, sync::atomic::Ordering::Relaxed};

/// Rounds of a mood.
const MOOD: u64 = 16;

/// By mood: a message goes out in one round of so many.
const ONE_IN: [u64; 4] = [1, 3, 20, 100];

/// What has been undone for each event that is certain, when the adversary has shown what it can,
/// and lets all through. More is one echo after the other: each hop of what was undone is held back
/// for rounds, and the global virtual time with it, while more is done ahead and undone in turn.
const ENOUGH: u64 = 4;

/// A thread of many LPs goes ahead by batches of as many events as it has of them, so that there is
/// something to undo at most of those that a message held back is for; of so many at most.
const WIDEST: u64 = 64 * LONGEST;

/// One thread's.
pub(super) struct Adversary<E> {
    stress: Stress,
    eases: bool,
    me: u64,
    /// Events of a batch, at most, while it does not ease.
    reach: u64,
    /// By receiver: what is held back, in the order in which it was sent.
    held: Vec<Vec<Parcel<Letter<E>>>>,
    /// Messages called back so far.
    recalled: u64,
}

impl<E> Adversary<E> {
    pub(super) fn new(stress: Stress, me: usize, partition: &Partition) -> Self {
        let held = (0..partition.threads()).map(|_| vec![]).collect();
        let reach = (partition.count(me) as u64).clamp(LONGEST, WIDEST);
        Adversary { stress, eases: false, me: me as u64, reach, held, recalled: 0 }
    }

    /// How many events a batch has at most, if it has a say in that still.
    pub(super) fn reach(&self) -> Option<u64> {
        (!self.eases).then_some(self.reach)
    }

    /// After a meeting: what all have done for certain, and undone.
    pub(super) fn hears(&mut self, certain: u64, undone: u64) {
        self.eases = undone >= ENOUGH * (certain + LONGEST)
    }

    /// Between what a thread has sent in a round and the mail. The notes tell how soon the messages
    /// are that are held back.
    pub(super) fn stand_between(
        &mut self,
        round: u64,
        outgoing: &mut Outgoing<Letter<E>>,
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
            // All that has one key goes together, so that a message is never overtaken by what
            // calls it back.
            let of_round = mix(luck ^ round);
            let goes = |p: &mut Parcel<_>| mix(of_round ^ mix(p.tie)).is_multiple_of(ONE_IN[mood]);
            bag.extend(self.held[to].extract_if(.., goes));
            bag.sort_by_key(|p| mix(of_round ^ p.tie));
            let first = |parcels: &[Parcel<_>]| parcels.iter().map(|p| p.t).min();
            let held = first(&self.held[to]).unwrap_or(u64::MAX);
            let held = if self.plants(Planted::CommitsEarly) { u64::MAX } else { held };
            notes.held[to].store(held, Relaxed);
            *soonest = first(bag).unwrap_or(u64::MAX).min(held)
        }
    }

    fn plants(&self, fault: Planted) -> bool {
        self.stress.planted == Some(fault)
    }

    /// The planted fault: every tenth message that is called back is not.
    fn lose(&mut self, bag: &mut Vec<Parcel<Letter<E>>>) {
        if self.plants(Planted::LosesRecall) {
            for parcel in mem::take(bag) {
                self.recalled += matches!(parcel.event, Letter::Never) as u64;
                if !matches!(parcel.event, Letter::Never) || !self.recalled.is_multiple_of(10) {
                    bag.push(parcel)
                }
            }
        }
    }
}
