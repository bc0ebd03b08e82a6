//! Tests of the HDFS model: timelines as text, agreement of both ways of sharing, random scenarios
//! under all schedulers.
mod agree;
mod awaited;
mod balancer;
mod drawn;
mod extremes;
mod facts;
mod foreground;
mod groups;
mod lists;
mod losses;
mod maintenance;
mod pipelines;
mod reach;
mod swarm;
mod world;
