//! Tables as text, for reviewers.
use xor_protocol::{Layout, Rule, draw, schedule};

#[test]
fn the_documents_table_for_five_nodes() {
    let drawn = draw::table(&Layout::new(Rule::Document, 5).expect("5 is prime"));
    assert_eq!(
        drawn,
        "\
node 0 | node 1 | node 2 | node 3 | node 4
-------|--------|--------|--------|-------
A      | B      | C      | A+B+C  | F+H+J
D      | E      | D+E+F  | F      | A+I+K
G      | G+H+I  | H      | I      | B+D+L
J+K+L  | J      | K      | L      | C+E+G
"
    );
    let general = Layout::new(Rule::General, 5).expect("a layout");
    assert_eq!(drawn, draw::table(&general), "for an odd prime they are one");
}

#[test]
fn three_and_four_and_six_nodes() {
    assert_eq!(
        draw::table(&Layout::best(3).expect("a layout")),
        "\
node 0 | node 1 | node 2
-------|--------|-------
A      | B      | A+B
"
    );
    assert_eq!(
        draw::table(&Layout::best(4).expect("a layout")),
        "\
node 0 | node 1 | node 2 | node 3
-------|--------|--------|-------
A      | A+B    | B      | B+C
C+D    | C      | D      | A+D
"
    );
    assert_eq!(
        draw::table(&Layout::best(6).expect("a layout")),
        "\
node 0  | node 1  | node 2  | node 3  | node 4 | node 5
--------|---------|---------|---------|--------|--------
A       | B       | C       | A+B+C+D | D      | D+G+J+M
E       | F       | E+F+G+H | G       | H      | A+H+K+N
I       | I+J+K+L | J       | K       | L      | B+E+L+O
M+N+O+P | M       | N       | O       | P      | C+F+I+P
"
    );
}

#[test]
fn the_fallback_sums_parities_too() {
    assert_eq!(
        draw::table(&Layout::new(Rule::Fallback, 5).expect("a layout")),
        "\
node 0 | node 1 | node 2 | node 3 | node 4
-------|--------|--------|--------|----------
A+B+C  | A      | B      | C      | A+B+C+I+L
D      | D+E+F  | E      | F      | A+D+J+K+L
G      | H      | G+H+I  | I      | B+D+E+F+G
J      | K      | L      | J+K+L  | C+E+H+J
"
    );
}

#[test]
fn the_simple_relay_step_by_step() {
    let layout = Layout::best(3).expect("a layout");
    assert_eq!(
        draw::steps(&layout, &schedule::chain(&layout)),
        "\
client -> node 0: A
client -> node 1: B
node 0 -> node 1: A
node 1 -> node 2: A+B   = B + A
"
    );
    assert_eq!(
        draw::steps(&layout, &schedule::pivot(&layout, 1)),
        "\
client -> node 1: A
client -> node 1: B
node 1 -> node 0: A
node 1 -> node 2: A+B
"
    );
}

#[test]
fn prices_for_five_nodes() {
    let layout = Layout::best(5).expect("a layout");
    assert_eq!(
        draw::prices(&layout).expect("they are right"),
        "\
schedule   client out   between nodes  node in most  node out most
naive           20.00            0.00          4.00           0.00
chain           12.00           24.00          9.00           6.00
pivot           12.00           16.00          5.60           3.20
"
    );
}
