use engine::*;

#[derive(Rewind)]
struct Node {
    waiting: Vec<u32>,
    seen: std::collections::HashMap<u32, u32>,
    n: usize,
}

fn main() {}
