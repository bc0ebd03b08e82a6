//! `#[derive(Model)]`: kinds of LP that share one `Event` and one `Record`, such as a master and
//! its nodes.
use crate::kinds::{kinds, once};
use proc_macro2::TokenStream as Tokens;
use quote::{quote, quote_spanned};
use syn::{DeriveInput, spanned::Spanned};

pub(crate) fn model(input: &DeriveInput) -> syn::Result<Tokens> {
    let (name, kinds) = (&input.ident, kinds(input)?);
    let first = kinds[0].ty;
    let handle = kinds.iter().map(|k| {
        let v = k.variant;
        quote_spanned!(k.ty.span()=> Self::#v(m) => ::engine::Model::handle(m, event, cx),)
    });
    let finish = kinds.iter().map(|k| {
        let v = k.variant;
        quote!(Self::#v(m) => ::engine::Model::finish(m, cx),)
    });
    let foresee = kinds.iter().map(|k| {
        let v = k.variant;
        quote!(Self::#v(m) => ::engine::Model::foresee(m, event, step),)
    });
    let from = kinds.iter().filter(|k| once(&kinds, k.ty)).map(|k| {
        let (v, t) = (k.variant, k.ty);
        quote! {
            impl ::core::convert::From<#t> for #name { fn from(m: #t) -> Self { Self::#v(m) } }
        }
    });
    Ok(quote! {
        impl ::engine::Model for #name {
            type Event = <#first as ::engine::Model>::Event;
            type Record = <#first as ::engine::Model>::Record;
            #[inline(always)]
            fn handle(
                &mut self,
                event: &Self::Event,
                cx: &impl ::engine::Context<Self::Event, Self::Record>,
            ) { match self { #(#handle)* } }
            #[inline(always)]
            fn foresee(&self, event: &Self::Event, step: u32) {
                match self { #(#foresee)* }
            }
            fn finish(&self, cx: &impl ::engine::Recorder<Self::Record>) {
                match self { #(#finish)* }
            }
        }
        #(#from)*
    })
}
