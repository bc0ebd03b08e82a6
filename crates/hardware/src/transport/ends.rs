//! The two ends of a flow.
use super::{
    Event, FlowName,
    flow::{Reply, Start},
};
use cluster::NodeId;
use engine::{Context, Lp, Message, Scalar};
use units::Bytes;

/// The owner and the peer of a flow; both receive its reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub(super) struct Ends {
    pub(super) flow: FlowName,
    pub(super) peer: Option<Lp<Reply>>,
}

impl Ends {
    pub(super) fn of(start: &Start) -> Ends {
        Ends { flow: start.flow, peer: start.peer }
    }

    pub(super) fn notify_done<R: Message>(self, cx: &impl Context<Event, R>) {
        self.notify(|tag| Reply::Done { tag }, cx)
    }

    pub(super) fn notify_broken<R: Message>(
        self,
        through: Bytes,
        lost: Option<NodeId>,
        cx: &impl Context<Event, R>,
    ) {
        self.notify(|tag| Reply::Broken { tag, through, lost }, cx)
    }

    fn notify<R: Message>(self, reply: impl Fn(u32) -> Reply, cx: &impl Context<Event, R>) {
        let FlowName { owner, tag } = self.flow;
        cx.notify(owner, reply(tag));
        if let Some(peer) = self.peer {
            cx.notify(peer, reply(tag))
        }
    }
}
