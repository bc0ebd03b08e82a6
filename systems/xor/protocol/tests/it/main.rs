//! Layouts, schedules and plans against definitions, bounds and brute force.
mod drawn;
mod kept;
mod layouts;
mod machines;
mod plans;
mod schedules;
mod versions;
