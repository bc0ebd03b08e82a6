//! The use of a cluster's resources in a window of a run.
use super::paths::Paths;
use super::shown::ShownResources;
use crate::value_text::hue;
use analysis::Bins;
use page::Kind;
use trace::reading::Role;
use trace::series::Series;
use trace::{KindRole, RackId, Resource, ResourceId, Trace};
use units::{Nanos, floored_u64};

/// Maximum cells of a curve on the page of a rack or node.
const CELLS: usize = 120;

pub struct Usage<'a> {
    pub(super) trace: &'a Trace,
    pub(super) series: Series<'a>,
    pub(super) shown: ShownResources,
    pub(super) paths: Paths,
    pub(super) window: (Nanos, Nanos),
    /// The run: "now, seed 1".
    pub(super) of: String,
}

impl<'a> Usage<'a> {
    pub fn of(trace: &'a Trace, window: (Nanos, Nanos), of: impl Into<String>) -> Usage<'a> {
        let series = Series::of(trace);
        let shown = ShownResources::of(trace, &series, window);
        Usage { trace, series, shown, paths: Paths::of(trace), window, of: of.into() }
    }

    /// Number of nodes with a resource whose use is known.
    pub(crate) fn known_nodes(&self) -> usize {
        let nodes = self.shown.known.iter().filter_map(|id| self.resource(*id).node);
        nodes.collect::<std::collections::BTreeSet<_>>().len()
    }

    pub(super) fn resource(&self, id: ResourceId) -> &'a Resource {
        &self.trace.resources[id.at()]
    }

    /// Bins of all curves below the page, and of each resource's peak.
    pub(super) fn bins(&self) -> Bins {
        Bins::round(self.window.0, self.window.1, CELLS)
    }

    /// The rack of a resource, directly or by its node.
    pub(super) fn rack(&self, resource: &Resource) -> Option<usize> {
        let of_node = || self.trace.nodes[resource.node?.at()].rack;
        resource.rack.or_else(of_node).map(RackId::at)
    }

    pub(super) fn hue(&self, resource: &Resource) -> Kind {
        match self.trace.kinds[resource.kind.at()].role {
            KindRole::Resource(role) => hue(Role::from(role)),
            _ => Kind::Wait,
        }
    }
}

pub(super) fn whole_percent(utilisation: f64) -> u8 {
    u8::try_from(floored_u64((100.0 * utilisation).round()).min(100)).expect("at most 100")
}
