//! Compiler messages for typical mistakes.
#[test]
fn mistakes_are_explained() {
    trybuild::TestCases::new().compile_fail("tests/mistakes/*.rs")
}
