//! Commands that `tenbin-lab` adds to `tenbin`: testbeds, twins, calibration, and papers'
//! experiments for real.
pub mod calibrate;
pub mod cli;
pub mod testbed;

use system::Typed;
use tenbin::real::{CALIBRATE, Real, TESTBED};

pub static REAL: Real = Real {
    commands: &[
        &Typed::<cli::TestbedArgs> { name: "testbed", about: TESTBED, run: testbed::testbed },
        &Typed::<cli::CalibrateArgs> {
            name: "calibrate",
            about: CALIBRATE,
            run: calibrate::calibrate,
        },
    ],
    twins: &[&hdfs_twin::TWIN, &mapreduce_twin::TWIN],
    documents: &[hdfs_twin::S0, mapreduce_twin::S1, xor_twin::S2],
};
