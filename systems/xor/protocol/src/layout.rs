//! Which xor of data blocks each cell of a stripe holds.
mod rules;
mod square;

use std::fmt;

/// Nodes of a layout, at most.
pub const MAX_NODES: usize = 64;

/// A place in a stripe.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell {
    /// Which node, from 0.
    pub node: usize,
    /// Which of the node's blocks of this stripe, from 0.
    pub row: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Three nodes: two hold data, one their xor. One loss is survived.
    Single,
    /// The document's 2-D xor (Otsuji, Tatebe, 2013). Survives two losses if n is prime.
    Document,
    /// 2-D xor from a Latin square in which any two columns make one cycle: two losses for every n
    /// for which such a square is known, and two parity updates a write.
    General,
    /// A shortened row-diagonal parity (Corbett et al., FAST 2004): two losses for every n ≥ 3.
    Fallback,
}

/// Why there is no such layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LayoutError {
    /// Too few nodes, or too many.
    Nodes {
        nodes: usize,
        /// The fewest for the rule.
        least: usize,
    },
    /// The document's rule loses data for this n.
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
                "{n} nodes: the document's layout survives any two losses only if the number of \
                 nodes is prime; use the general one"
            ),
            LayoutError::NoSquare(n) => {
                write!(f, "{n} nodes: no square is known for the general layout; use the fallback")
            }
        }
    }
}

impl std::error::Error for LayoutError {}

/// A stripe's table: nodes × rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    rule: Rule,
    nodes: usize,
    rows: usize,
    losses: usize,
    homes: Vec<Cell>,
    /// By `index`: data blocks whose xor the cell holds, ascending.
    contents: Vec<Vec<usize>>,
    /// Cells whose xor is zero: one a parity cell.
    equations: Vec<Vec<Cell>>,
}

impl Layout {
    /// The layout of a rule.
    ///
    /// # Errors
    /// The rule has none for so many nodes that survives what it is to survive.
    pub fn new(rule: Rule, nodes: usize) -> Result<Layout, LayoutError> {
        rules::layout(rule, nodes)
    }

    /// What is used if nobody asks for another: single parity for 3 nodes, the general layout where
    /// its square is known, else the fallback.
    ///
    /// # Errors
    /// Fewer than 3 or more than [`MAX_NODES`] nodes.
    pub fn best(nodes: usize) -> Result<Layout, LayoutError> {
        match nodes {
            ..=3 => Layout::new(Rule::Single, nodes),
            _ => Layout::new(Rule::General, nodes).or_else(|_| Layout::new(Rule::Fallback, nodes)),
        }
    }

    /// The document's rule for any n ≥ 3, also where it loses data: to be looked at, not used.
    pub fn document_unproved(nodes: usize) -> Layout {
        rules::document(nodes)
    }

    /// By which rule it was made.
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

    /// Lost nodes that it survives, whichever they are.
    pub fn losses(&self) -> usize {
        self.losses
    }

    pub fn homes(&self) -> &[Cell] {
        &self.homes
    }

    /// The data blocks whose xor a cell holds, ascending; one for a data cell.
    pub fn contents(&self, cell: Cell) -> &[usize] {
        &self.contents[self.index(cell)]
    }

    /// The data block that lies there; `None` for a parity cell.
    pub fn data_at(&self, cell: Cell) -> Option<usize> {
        match *self.contents(cell) {
            [data] if self.homes[data] == cell => Some(data),
            _ => None,
        }
    }

    /// Sets of cells whose xor is zero: one for each parity cell, which stands first.
    pub fn equations(&self) -> &[Vec<Cell>] {
        &self.equations
    }

    /// A cell's number, node by node.
    pub fn index(&self, cell: Cell) -> usize {
        debug_assert!(cell.node < self.nodes && cell.row < self.rows);
        cell.node * self.rows + cell.row
    }

    /// The cell of a number.
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
