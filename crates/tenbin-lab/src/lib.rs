//! Commands that `tenbin-lab` adds to `tenbin`: testbeds, twins, calibration, and papers'
//! experiments for real.
pub mod calibrate;
pub mod cli;
pub mod testbed;

use system::TypedAction;
use tenbin::real::{CALIBRATE, RealCommands, TESTBED};

pub static REAL: RealCommands = RealCommands {
    commands: &[
        &TypedAction::<cli::TestbedArgs> { name: "testbed", about: TESTBED, run: testbed::testbed },
        &TypedAction::<cli::CalibrateArgs> {
            name: "calibrate",
            about: CALIBRATE,
            run: calibrate::calibrate,
        },
    ],
    twins: &[&hdfs_twin::TWIN, &mapreduce_twin::TWIN, &ppmds_twin::TWIN],
    documents: &[hdfs_twin::S0, mapreduce_twin::S1, xor_twin::S2, ozone_twin::S3, ppmds_twin::S4],
};
