//! Field types that a derive rejects by name, each with its replacement.
use crate::shape::Shape;
use syn::{Error, Type};

/// Rejects all fields whose type is in a list of (name, replacement), in one error. `&` stands for
/// a reference.
///
/// The type checker would also reject most of these types, but with longer messages. It still
/// catches those behind an alias.
pub(crate) fn forbid(all: &[Shape], list: &[(&str, &str)], why: &str) -> syn::Result<()> {
    let errors = all.iter().flat_map(|s| &s.fields).filter_map(|f| refuse(f.ty, list, why));
    let together = errors.reduce(|mut all, next| {
        all.combine(next);
        all
    });
    together.map_or(Ok(()), Err)
}

fn refuse(ty: &Type, list: &[(&str, &str)], why: &str) -> Option<Error> {
    let name = match ty {
        Type::Path(path) => path.path.segments.last()?.ident.to_string(),
        Type::Reference(_) => String::from("&"),
        _ => return None,
    };
    let (bad, good) = list.iter().find(|(bad, _)| name == *bad)?;
    let text = match *bad {
        "&" => format!("a reference {why}; use {good}"),
        _ => format!("`{bad}` {why}; use {good}"),
    };
    Some(Error::new_spanned(ty, text))
}
