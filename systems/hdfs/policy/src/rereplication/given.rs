//! Policies that another program gives, such as Python.
use super::{Copy, LostBlock, Memory, Refused, Rereplication};
use crate::{Dice, View};
use std::sync::{Mutex, MutexGuard};

type Given = &'static dyn Rereplication;

static GIVEN: Mutex<Vec<Given>> = Mutex::new(Vec::new());

fn list() -> MutexGuard<'static, Vec<Given>> {
    GIVEN.lock().expect("no thread panics while holding it")
}

/// Adds a policy, or replaces that of the same name.
pub fn give(policy: Given) {
    let mut all = list();
    all.retain(|one| one.name() != policy.name());
    all.push(policy)
}

pub(super) fn all() -> impl Iterator<Item = Box<dyn Rereplication>> {
    list().clone().into_iter().map(|policy| Box::new(policy) as Box<dyn Rereplication>)
}

impl Rereplication for Given {
    fn name(&self) -> &'static str {
        (**self).name()
    }
    fn doc(&self) -> &'static str {
        (**self).doc()
    }
    fn plan(&self, lost: &[LostBlock<'_>], view: View<'_>, memory: &mut Memory) {
        (**self).plan(lost, view, memory)
    }
    fn urgency(&self, lost: &LostBlock<'_>, view: View<'_>) -> u8 {
        (**self).urgency(lost, view)
    }
    fn repair(
        &self,
        lost: &LostBlock<'_>,
        view: View<'_>,
        memory: &mut Memory,
        dice: &mut dyn Dice,
    ) -> Result<Copy, Refused> {
        (**self).repair(lost, view, memory, dice)
    }
}
