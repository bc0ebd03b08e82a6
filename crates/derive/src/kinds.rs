//! The variants of an enum of models, one for each kind of LP.
use syn::{Data, DeriveInput, Error, Ident, Path, Token, Type, punctuated::Punctuated};

pub(crate) struct Kind<'a> {
    pub(crate) variant: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) hears: Vec<Path>,
}

pub(crate) fn kinds(input: &DeriveInput) -> syn::Result<Vec<Kind<'_>>> {
    let expected = "an enum with one variant per kind of LP is expected";
    let Data::Enum(all) = &input.data else {
        return Err(Error::new_spanned(&input.ident, expected));
    };
    if all.variants.is_empty() {
        return Err(Error::new_spanned(&input.ident, expected));
    }
    all.variants.iter().map(kind).collect()
}

fn kind(of: &syn::Variant) -> syn::Result<Kind<'_>> {
    let wrong = || Error::new_spanned(of, "expected `Kind(path::Model)`");
    let syn::Fields::Unnamed(fields) = &of.fields else { return Err(wrong()) };
    let field = fields.unnamed.first().filter(|_| fields.unnamed.len() == 1).ok_or_else(wrong)?;
    let mut hears = vec![];
    for attr in of.attrs.iter().filter(|a| a.path().is_ident("hears")) {
        hears.extend(attr.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)?)
    }
    Ok(Kind { variant: &of.ident, ty: &field.ty, hears })
}

/// Whether one variant only has this type, so that `From` is unambiguous.
pub(crate) fn once(kinds: &[Kind], ty: &Type) -> bool {
    kinds.iter().filter(|k| k.ty == ty).count() == 1
}
