//! A common form of structs and enums: a list of variants with their fields.
use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote};
use syn::{Attribute, Data, DeriveInput, Error, Ident, Member, Type};

/// A variant. A struct has one, with path `Self` and an empty name.
pub(crate) struct Shape<'a> {
    pub(crate) path: Tokens,
    pub(crate) name: String,
    pub(crate) fields: Vec<Field<'a>>,
    pub(crate) attrs: &'a [Attribute],
}

pub(crate) struct Field<'a> {
    pub(crate) member: Member,
    pub(crate) ty: &'a Type,
    pub(crate) whole: &'a syn::Field,
}

impl Field<'_> {
    /// The name as in the source: `waiting`, or `0`.
    pub(crate) fn label(&self) -> String {
        match &self.member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        }
    }
}

fn fields(of: &syn::Fields) -> Vec<Field<'_>> {
    of.members().zip(of).map(|(member, whole)| Field { member, ty: &whole.ty, whole }).collect()
}

pub(crate) fn shapes(input: &DeriveInput) -> syn::Result<Vec<Shape<'_>>> {
    match &input.data {
        Data::Struct(s) => Ok(vec![Shape {
            path: quote!(Self),
            name: String::new(),
            fields: fields(&s.fields),
            attrs: &input.attrs,
        }]),
        Data::Enum(e) => Ok(e.variants.iter().map(variant).collect()),
        Data::Union(_) => Err(Error::new_spanned(&input.ident, "a union cannot be derived")),
    }
}

fn variant(of: &syn::Variant) -> Shape<'_> {
    let ident = &of.ident;
    Shape {
        path: quote!(Self::#ident),
        name: ident.to_string(),
        fields: fields(&of.fields),
        attrs: &of.attrs,
    }
}

pub(crate) fn is_enum(input: &DeriveInput) -> bool {
    matches!(input.data, Data::Enum(_))
}

impl Shape<'_> {
    /// `a0, a1, …` bound to the fields.
    pub(crate) fn names(&self, letter: &str) -> Vec<Ident> {
        (0..self.fields.len()).map(|i| format_ident!("{letter}{i}")).collect()
    }
    pub(crate) fn pattern(&self, letter: &str) -> Tokens {
        let (path, names) = (&self.path, self.names(letter));
        let members = self.fields.iter().map(|f| &f.member);
        quote!(#path { #(#members: #names),* })
    }
}
