//! The module doc of a policy's file as text, for `tenbin explain NAME` and the tables of policies.

pub(crate) fn module_doc(source: &str) -> String {
    let doc = source.lines().map_while(|line| line.strip_prefix("//!"));
    doc.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect()
}

/// Module doc of `$file` as a `&'static str`; pass the file that contains the call.
macro_rules! own_doc {
    ($file:literal) => {{
        static DOC: std::sync::OnceLock<String> = std::sync::OnceLock::new();
        DOC.get_or_init(|| $crate::doc::module_doc(include_str!($file))).as_str()
    }};
}
pub(crate) use own_doc;
