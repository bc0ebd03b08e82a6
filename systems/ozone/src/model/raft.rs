//! Raft messages of a DataNode: answers, commits, replies to clients, elections.
use super::data::DataNode;
use super::log::PendingRequest;
use super::message::{Event, Record};
use super::settings::NoticeMode;
use crate::raft::{self, AppendReply, Kind, Vote, VoteRequest};
use engine::*;

impl DataNode {
    /// A follower reports its progress to the leader.
    pub(super) fn answer(
        &mut self,
        pipeline: u32,
        leader: u8,
        gap: bool,
        began: Nanos,
        cx: &impl Context<Event, Record>,
    ) {
        let Some(log) = self.logs.get(&pipeline) else { return };
        let (answer, held) = (log.raft.answer(gap), log.held);
        let leader = self.settings.member(pipeline, leader);
        cx.notify(leader, Event::Acked { pipeline, answer, held, started: began })
    }

    /// A follower receives a commit notice.
    pub(super) fn handle_notice(
        &mut self,
        pipeline: u32,
        notice: raft::Notice,
        cx: &impl Context<Event, Record>,
    ) {
        self.logs.update(&pipeline, |log| {
            if log.raft.on_notice(notice) {
                log.last_leader_contact = cx.now()
            }
        });
        self.step_down(pipeline, cx);
        self.answer(pipeline, notice.leader, false, Nanos::ZERO, cx)
    }

    /// A leader receives a follower's answer. `times`: `held` and `started` of the message.
    pub(super) fn handle_reply(
        &mut self,
        pipeline: u32,
        answer: AppendReply,
        times: [Nanos; 2],
        cx: &impl Context<Event, Record>,
    ) {
        let more = self.logs.update(&pipeline, |log| {
            let slot = log.raft.places().iter().position(|place| *place == answer.place);
            let (before, now) = log.raft.handle_reply(answer)?;
            let slot = slot.expect("one of the others");
            if now.flushed > before.flushed {
                log.record_ack(slot, [before.flushed, now.flushed], times, cx.now())
            }
            Some(now.next <= log.raft.last())
        });
        self.step_down(pipeline, cx);
        let Some(Some(more)) = more else { return };
        if more {
            self.send_on(pipeline, cx)
        }
        self.advance(pipeline, cx)
    }

    /// A leader commits what a majority has, notifies followers, and answers clients.
    pub(super) fn advance(&mut self, pipeline: u32, cx: &impl Context<Event, Record>) {
        let tells = self.logs.update(&pipeline, |log| {
            let (from, to, holders) = log.raft.advance()?;
            cx.record(Record::Commit { pipeline, from, to, holders });
            Some(log.committed(to, cx.now()))
        });
        match (tells.flatten(), self.settings.notice) {
            (Some(false), NoticeMode::MetadataEntry) => {
                self.append(pipeline, Kind::CommitIndex, 0, 0, None, cx)
            }
            (Some(false), NoticeMode::AtOnce) => self.notify(pipeline, cx),
            _ => {}
        }
        self.reply(pipeline, cx)
    }

    /// A leader sends its commit index to both followers.
    fn notify(&mut self, pipeline: u32, cx: &impl Context<Event, Record>) {
        let told = self.logs.update(&pipeline, |log| {
            log.last_sent = [cx.now(); 2];
            (log.raft.notice(), log.raft.places())
        });
        let Some((notice, places)) = told else { return };
        for place in places {
            let to = self.settings.member(pipeline, place);
            cx.notify(to, Event::Notice { pipeline, notice })
        }
    }

    /// Answers clients whose entries are committed, and known to enough replicas.
    fn reply(&mut self, pipeline: u32, cx: &impl Context<Event, Record>) {
        let (all, patience) = (self.settings.watch_all, self.settings.watch.1);
        while let Some(Some((done, place))) = self.logs.update(&pipeline, |log| {
            log.answered(all, patience, cx.now()).map(|done| (done, log.raft.place()))
        }) {
            let PendingRequest { from, op, attempt, .. } = done;
            match done.kind {
                Kind::Put => {
                    // The client receives the commit, sends a watch request, and gets its answer
                    // then.
                    let round = done.committed + self.settings.latency * 2;
                    let wait = round.saturating_sub(cx.now());
                    let block = done.block(pipeline, place, cx.now() + wait);
                    cx.record(Record::Block(Box::new(block)));
                    let delay = Delay::link(cx.link(from)).plus(wait);
                    cx.send(from, delay, Event::Written { op, attempt })
                }
                _ => cx.notify(from, Event::Taken { op, attempt }),
            }
        }
    }

    /// Sends a heartbeat if the leader has sent nothing for half of the election timeout. Also
    /// answers clients whose watch timeout has expired.
    pub(super) fn send_heartbeat(&mut self, pipeline: u32, cx: &impl Context<Event, Record>) {
        let Some(log) = self.logs.get(&pipeline).filter(|log| log.raft.leads()) else { return };
        let due = log.last_sent[0].min(log.last_sent[1]) + self.settings.heartbeat;
        self.reply(pipeline, cx);
        if due <= cx.now() {
            self.notify(pipeline, cx);
            return cx.after(self.settings.heartbeat, Event::Beat { pipeline });
        }
        cx.after(due - cx.now(), Event::Beat { pipeline })
    }

    /// A leader that lost its term rejects the clients that wait.
    pub(super) fn step_down(&mut self, pipeline: u32, cx: &impl Context<Event, Record>) {
        let Some(log) = self.logs.get(&pipeline) else { return };
        if log.raft.leads() || log.waiting.is_empty() {
            return;
        }
        let leader = log.raft.leader();
        while let Some(Some(client)) = self.logs.update(&pipeline, |log| log.waiting.pop_front()) {
            let PendingRequest { from, op, attempt, round, .. } = client;
            let no = Event::NotLeader { op, attempt, round, leader };
            cx.notify(from, no)
        }
        self.logs.update(&pipeline, |log| {
            log.open = 0;
            log.commit_entries.clear()
        });
    }

    /// Starts an election if no leader sent a message within the timeout (Ratis's `FollowerState`).
    pub(super) fn elect(&mut self, pipeline: u32, cx: &impl Context<Event, Record>) {
        let (least, spread) = self.settings.election;
        let (me, now) = (self.me, cx.now());
        let found = self.logs.update(&pipeline, |log| {
            log.drawn += 1;
            let mut draw = cx.draw("elect", u64::from(me) << 32 | u64::from(pipeline), log.drawn);
            let timeout = least + Nanos(draw.below(spread.0 + 1));
            let due = log.last_leader_contact + timeout;
            if log.raft.leads() {
                return (timeout, None);
            }
            if due > now {
                return (due - now, None);
            }
            log.last_leader_contact = now;
            (timeout, Some((log.raft.start_election(), log.raft.places())))
        });
        let Some((wait, ask)) = found else { return };
        if let Some((ask, places)) = ask {
            for place in places {
                let to = self.settings.member(pipeline, place);
                cx.notify(to, Event::Ask { pipeline, ask })
            }
        }
        cx.after(wait, Event::Elect { pipeline })
    }

    pub(super) fn handle_vote_request(
        &mut self,
        pipeline: u32,
        ask: VoteRequest,
        cx: &impl Context<Event, Record>,
    ) {
        let vote = self.logs.update(&pipeline, |log| {
            let vote = log.raft.on_ask(ask);
            if vote.granted {
                log.last_leader_contact = cx.now()
            }
            vote
        });
        self.step_down(pipeline, cx);
        let Some(vote) = vote else { return };
        let to = self.settings.member(pipeline, ask.place);
        cx.notify(to, Event::Vote { pipeline, vote })
    }

    /// Counts a vote. A new leader's first entry shows what the followers lack.
    pub(super) fn handle_vote(
        &mut self,
        pipeline: u32,
        vote: Vote,
        cx: &impl Context<Event, Record>,
    ) {
        let leads = self.logs.update(&pipeline, |log| {
            let won = log.raft.on_vote(vote);
            won.then(|| (log.raft.term(), log.raft.last()))
        });
        let Some(Some((term, last))) = leads else { return };
        cx.record(Record::Leads { pipeline, node: self.me, term, last });
        self.append(pipeline, Kind::Begin, 0, 0, None, cx);
        cx.after(self.settings.heartbeat, Event::Beat { pipeline })
    }
}
