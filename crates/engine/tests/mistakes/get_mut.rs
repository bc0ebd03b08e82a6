use engine::*;

#[derive(Rewind)]
struct Node {
    rows: Table<u32, Queue<u32>>,
}

fn change(node: &mut Node) {
    node.rows.get_mut(&1).unwrap().push_back(2);
    node.rows.get(&1).unwrap().push_back(2);
}

fn main() {}
