//! The layout of a stripe: which xor of data blocks each cell holds.
mod rules;
mod square;

use std::fmt;

pub const MAX_NODES: usize = 64;

/// A block of a stripe.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell {
    /// From 0.
    pub node: usize,
    /// From 0, among the node's blocks of this stripe.
    pub row: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Three nodes: two hold data, the third their xor. Survives one loss.
    Single,
    /// The 2-D xor of Otsuji, Tatebe 2013. Survives two losses if n is prime.
    Document,
    /// 2-D xor from a Latin square in which any two columns make one cycle. Survives two losses for
    /// every n with a known square; a write updates two parities.
    General,
    /// Shortened row-diagonal parity (Corbett et al., FAST 2004). Survives two losses for every n ≥
    /// 3.
    Fallback,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LayoutError {
    /// The rule does not cover this number of nodes.
    Nodes { nodes: usize, least: usize },
    /// The rule of Otsuji, Tatebe 2013 loses data for this n.
    NotPrime(usize),
    /// No Latin square is known for this n.
    NoSquare(usize),
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LayoutError::Nodes { nodes, least } => {
                write!(f, "{nodes} nodes: this layout has {least} to {MAX_NODES}")
            }
            LayoutError::NotPrime(n) => write!(
                f,
                "{n} nodes: the layout of Otsuji 2013 survives any two losses only if the number \
                 of nodes is prime; use the general one"
            ),
            LayoutError::NoSquare(n) => {
                write!(
                    f,
                    "{n} nodes: the general layout has no square for this number; use the fallback"
                )
            }
        }
    }
}

impl std::error::Error for LayoutError {}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    rule: Rule,
    nodes: usize,
    rows: usize,
    losses: usize,
    homes: Vec<Cell>,
    /// By [`Layout::index`]: data blocks whose xor the cell holds, ascending.
    contents: Vec<Vec<usize>>,
    /// Sets of cells whose xor is zero, one a parity cell.
    equations: Vec<Vec<Cell>>,
}

impl Layout {
    /// # Errors
    /// If the rule has no layout for this number of nodes that survives its losses.
    pub fn new(rule: Rule, nodes: usize) -> Result<Layout, LayoutError> {
        rules::layout(rule, nodes)
    }

    /// The default: single parity for 3 nodes, the general layout if its square is known, else the
    /// fallback.
    ///
    /// # Errors
    /// Fewer than 3 or more than [`MAX_NODES`] nodes.
    pub fn best(nodes: usize) -> Result<Layout, LayoutError> {
        match nodes {
            ..=3 => Layout::new(Rule::Single, nodes),
            _ => Layout::new(Rule::General, nodes).or_else(|_| Layout::new(Rule::Fallback, nodes)),
        }
    }

    /// The rule of Otsuji, Tatebe 2013 for any n ≥ 3, even if it loses data: for analysis only.
    pub fn document_unproved(nodes: usize) -> Layout {
        rules::document(nodes)
    }

    pub fn rule(&self) -> Rule {
        self.rule
    }

    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Blocks of a stripe on each node.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Data blocks of a stripe.
    pub fn data(&self) -> usize {
        self.homes.len()
    }

    /// Losses survived, whichever the nodes.
    pub fn losses(&self) -> usize {
        self.losses
    }

    pub fn homes(&self) -> &[Cell] {
        &self.homes
    }

    /// Data blocks whose xor the cell holds, ascending; one for a data cell.
    pub fn contents(&self, cell: Cell) -> &[usize] {
        &self.contents[self.index(cell)]
    }

    /// `None` for a parity cell.
    pub fn data_at(&self, cell: Cell) -> Option<usize> {
        match *self.contents(cell) {
            [data] if self.homes[data] == cell => Some(data),
            _ => None,
        }
    }

    /// Sets of cells whose xor is zero. Each begins with its parity cell.
    pub fn equations(&self) -> &[Vec<Cell>] {
        &self.equations
    }

    /// The cell's number, counted node by node.
    pub fn index(&self, cell: Cell) -> usize {
        debug_assert!(cell.node < self.nodes && cell.row < self.rows);
        cell.node * self.rows + cell.row
    }

    pub fn cell(&self, index: usize) -> Cell {
        Cell { node: index / self.rows, row: index % self.rows }
    }

    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let rows = self.rows;
        (0..self.nodes * rows).map(move |i| Cell { node: i / rows, row: i % rows })
    }

    pub fn cells_of(&self, node: usize) -> impl Iterator<Item = Cell> + use<> {
        (0..self.rows).map(move |row| Cell { node, row })
    }
}
