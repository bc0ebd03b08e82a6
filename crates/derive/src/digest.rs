//! `impl Digest`, part of every derive.
use crate::shape::{Shape, is_enum};
use proc_macro2::TokenStream as Tokens;
use quote::{quote, quote_spanned};
use syn::{DeriveInput, spanned::Spanned};

pub(crate) fn digest(input: &DeriveInput, shapes: &[Shape]) -> Tokens {
    let (name, (ig, tg, wh)) = (&input.ident, input.generics.split_for_impl());
    let digests =
        shapes.iter().enumerate().map(|(i, s)| digest_arm(s, is_enum(input).then_some(i)));
    let parts = shapes.iter().map(|s| parts_arm(s, is_enum(input)));
    let weights = shapes.iter().map(|s| {
        let (pattern, names) = (s.pattern("a"), s.names("a"));
        quote!(#pattern => 0 #(+ ::rewind::Digest::weight(#names))*,)
    });
    quote! {
        impl #ig ::rewind::Digest for #name #tg #wh {
            #[inline(always)]
            #[allow(unused_variables)]
            fn digest(&self, h: &mut ::rewind::Hasher) {
                match self { #(#digests)* _ => unreachable!() }
            }
            #[allow(unused_variables)]
            fn parts(&self, see: &mut dyn FnMut(&'static str, u128)) {
                match self { #(#parts)* _ => unreachable!() }
            }
            #[allow(unused_variables)]
            fn weight(&self) -> u64 {
                match self { #(#weights)* _ => unreachable!() }
            }
        }
    }
}

fn digest_arm(shape: &Shape, number: Option<usize>) -> Tokens {
    let (pattern, names) = (shape.pattern("a"), shape.names("a"));
    let tag = number.map(|i| quote!(h.word(#i as u64);));
    let even = number.map(|_| quote!(h.even();));
    let calls = shape
        .fields
        .iter()
        .zip(&names)
        .map(|(f, name)| quote_spanned!(f.ty.span()=> ::rewind::Digest::digest(#name, h);));
    quote!(#pattern => { #tag #(#calls)* #even })
}

fn parts_arm(shape: &Shape, is_enum: bool) -> Tokens {
    let (pattern, names, variant) = (shape.pattern("a"), shape.names("a"), &shape.name);
    // An enum of models reports the fields of its variant, not the variant.
    if is_enum && shape.fields.len() == 1 {
        return quote!(#pattern => ::rewind::Digest::parts(a0, see),);
    }
    let labels = shape
        .fields
        .iter()
        .map(|f| if variant.is_empty() { f.label() } else { format!("{variant}.{}", f.label()) });
    quote!(#pattern => { #(see(#labels, ::rewind::Hasher::of(#names));)* })
}
