use super::CatalogueCurve;
use crate::DiskCurve;

pub(super) static CURVES: [CatalogueCurve; 3] = [
    CatalogueCurve {
        name: "seek",
        what: "a seek for each batch, however many streams",
        curve: DiskCurve::KEPT,
        source: "Iyer and Druschel, Anticipatory scheduling, SOSP 2001: read-ahead and the \
                 scheduler's slices keep the batch",
    },
    CatalogueCurve {
        name: "readahead-root",
        what: "a seek for each batch, which shrinks as the root of the number of streams",
        curve: DiskCurve::quarters(2),
        source: "between the two others; fits many sequential readers under CFQ, 24-28 MB/s at 32 \
                 of them, with a batch of about 0.85 MB",
    },
    CatalogueCurve {
        name: "readahead-shared",
        what: "a seek for each batch, all streams share one batch",
        curve: DiskCurve::quarters(4),
        source: "one budget of page cache for all read-ahead; fits the same measurements with a \
                 batch of about 3 MB",
    },
];
