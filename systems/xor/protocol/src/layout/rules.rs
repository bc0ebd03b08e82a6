//! The layout of each rule.
use super::square::{self, is_prime};
use super::{Cell, Layout, LayoutError, MAX_NODES, Rule};

pub(super) fn layout(rule: Rule, nodes: usize) -> Result<Layout, LayoutError> {
    let least = if matches!(rule, Rule::General) { 4 } else { 3 };
    let most = if matches!(rule, Rule::Single) { 3 } else { MAX_NODES };
    if !(least..=most).contains(&nodes) {
        return Err(LayoutError::Nodes { nodes, least });
    }
    match rule {
        Rule::Single => Ok(single()),
        Rule::Document if !is_prime(nodes) => Err(LayoutError::NotPrime(nodes)),
        Rule::Document => Ok(document(nodes)),
        Rule::General => general(nodes).ok_or(LayoutError::NoSquare(nodes)),
        Rule::Fallback => Ok(fallback(nodes)),
    }
}

/// Data and row parities on all nodes except the last, which holds the diagonals.
struct Grid<'a> {
    rule: Rule,
    nodes: usize,
    rows: usize,
    /// Column of the parity of a row.
    parity: &'a dyn Fn(usize) -> usize,
    class: &'a dyn Fn(usize, usize) -> usize,
    /// In the order of the last node's rows.
    diagonals: Vec<usize>,
}

/// Otsuji, Tatebe 2013, 3 nodes: A, B, A + B.
fn single() -> Layout {
    let cell = |node| Cell { node, row: 0 };
    Layout {
        rule: Rule::Single,
        nodes: 3,
        rows: 1,
        losses: 1,
        homes: vec![cell(0), cell(1)],
        contents: vec![vec![0], vec![1], vec![0, 1]],
        equations: vec![vec![cell(2), cell(0), cell(1)]],
    }
}

/// Otsuji, Tatebe 2013. Correct for prime n only.
pub(super) fn document(n: usize) -> Layout {
    build(&Grid {
        rule: Rule::Document,
        nodes: n,
        rows: n - 1,
        parity: &|row| n - 2 - row,
        class: &|row, column| (row + column) % n,
        diagonals: (0..n - 1).map(|j| (n - 1 + j) % n).collect(),
    })
}

fn general(n: usize) -> Option<Layout> {
    let square = square::of_order(if n % 2 == 1 { n } else { n - 1 })?;
    let (q, miss) = (square.order, square.miss);
    let parity = |row: usize| {
        let found = square.classes[row].iter().position(|&class| class == miss);
        found.expect("a Latin square has every class in every row")
    };
    Some(build(&Grid {
        rule: Rule::General,
        nodes: n,
        rows: q - 1,
        parity: &parity,
        class: &|row, column| square.classes[row][column],
        diagonals: (0..q - 1).map(|j| (miss + 1 + j) % q).collect(),
    }))
}

/// Row-diagonal parity over the first n − 1 of a prime number of columns. The row parity rotates
/// over the columns; diagonals include it.
fn fallback(n: usize) -> Layout {
    let p = (n - 1..).find(|&p| p >= 3 && is_prime(p)).expect("primes do not end");
    build(&Grid {
        rule: Rule::Fallback,
        nodes: n,
        rows: p - 1,
        parity: &|row| row % (n - 1),
        class: &|row, column| (row + column) % p,
        diagonals: (0..p - 1).collect(),
    })
}

fn build(grid: &Grid<'_>) -> Layout {
    let columns = grid.nodes - 1;
    let is_parity = |cell: Cell| (grid.parity)(cell.row) == cell.node;
    let along = |row| (0..columns).map(move |node| Cell { node, row });
    let homes: Vec<Cell> = (0..grid.rows).flat_map(along).filter(|c| !is_parity(*c)).collect();
    let mut layout = Layout {
        rule: grid.rule,
        nodes: grid.nodes,
        rows: grid.rows,
        losses: 2,
        contents: vec![Vec::new(); grid.nodes * grid.rows],
        equations: Vec::with_capacity(2 * grid.rows),
        homes,
    };
    for (data, home) in layout.homes.iter().enumerate() {
        layout.contents[home.node * grid.rows + home.row] = vec![data];
    }
    for row in 0..grid.rows {
        let parity = Cell { node: (grid.parity)(row), row };
        define(&mut layout, parity, along(row).filter(|c| *c != parity).collect());
    }
    for (row, &class) in grid.diagonals.iter().enumerate() {
        let of_class = |c: &Cell| (grid.class)(c.row, c.node) == class;
        let cells = (0..grid.rows).flat_map(along).filter(of_class).collect();
        define(&mut layout, Cell { node: columns, row }, cells);
    }
    layout
}

/// Makes the parity cell the xor of `cells`.
fn define(layout: &mut Layout, parity: Cell, cells: Vec<Cell>) {
    let mut odd = vec![false; layout.data()];
    for &cell in &cells {
        layout.contents(cell).iter().for_each(|&data| odd[data] ^= true);
    }
    let index = layout.index(parity);
    layout.contents[index] = (0..odd.len()).filter(|&data| odd[data]).collect();
    layout.equations.push([vec![parity], cells].concat());
}
