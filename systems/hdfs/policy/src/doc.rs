//! The module doc of a policy's file as a text: what `tenbin explain NAME` and the tables of
//! policies are made from.

/// The lines of `source` that begin with `//!`, without that mark.
pub(crate) fn module_doc(source: &str) -> String {
    let doc = source.lines().map_while(|line| line.strip_prefix("//!"));
    doc.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect()
}

/// The module doc of the file named, which is the one where this stands, as a `&'static str`.
macro_rules! own_doc {
    ($file:literal) => {{
        static DOC: std::sync::OnceLock<String> = std::sync::OnceLock::new();
        DOC.get_or_init(|| $crate::doc::module_doc(include_str!($file))).as_str()
    }};
}
pub(crate) use own_doc;
