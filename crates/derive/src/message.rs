//! `#[derive(Message)]`: plain data that LPs send or record.
use crate::{
    digest::digest,
    forbid::forbid,
    shape::{Shape, shapes},
    wire::wire,
};
use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote};
use syn::{DeriveInput, Error, Path, Token, punctuated::Punctuated};

/// Types whose meaning or order differs between machines or runs.
const FOREIGN: &[(&str, &str)] = &[
    ("usize", "u32 or u64: usize differs between machines"),
    ("isize", "i64"),
    ("f32", "f64"),
    ("&", "an id, or the thing itself: a message may go to another machine"),
    ("Rc", "an id, or the thing itself: a message may go to another machine"),
    ("Arc", "an id, or the thing itself: a message may go to another machine"),
    ("Shared", "an id, or the thing itself: a message may go to another machine"),
    ("HashMap", "Vec<(K, V)>: the order of a HashMap changes from run to run"),
    ("HashSet", "Vec<T>: the order of a HashSet changes from run to run"),
];

pub(crate) fn message(input: &DeriveInput) -> syn::Result<Tokens> {
    if let Some(parameter) = input.generics.params.first() {
        return Err(Error::new_spanned(
            parameter,
            "a message has no parameters: it must mean the same on every rank",
        ));
    }
    let all = shapes(input)?;
    forbid(&all, FOREIGN, "is not allowed in a message")?;
    let name = &input.ident;
    let hears = hears(input, &all)?;
    let ports = hears.len();
    let voice = voice(input, &sends(input)?, ports);
    let (value, digest, wire) = (value(input, &all), digest(input, &all), wire(input, &all));
    Ok(quote! {
        #value
        #digest
        #wire
        #voice
        #(#hears)*
        impl ::engine::Carries<#name> for #name {
            #[inline(always)]
            fn carry(m: Self) -> Self { m }
        }
        impl ::engine::Hears<#name> for #name {
            fn hear(m: Self) -> Self { m }
        }
        impl ::engine::Hears<::engine::Nothing> for #name {
            fn hear(m: ::engine::Nothing) -> Self { match m {} }
        }
        impl ::engine::Says<::engine::Nothing> for #name {
            fn say(m: ::engine::Nothing) -> <Self as ::engine::Message>::Out { match m {} }
        }
    })
}

/// `#[derive(Value)]`: data for messages and states that is replaced as a whole.
pub(crate) fn replaced(input: &DeriveInput) -> syn::Result<Tokens> {
    let all = shapes(input)?;
    forbid(&all, FOREIGN, "is not allowed in a message")?;
    let name = &input.ident;
    let (value, digest, wire) = (value(input, &all), digest(input, &all), wire(input, &all));
    Ok(quote! {
        #value
        #digest
        #wire
        impl ::rewind::Rewind for #name {
            type Mark = Self;
            const PLAIN: bool = true;
            fn mark(&self) -> Self { ::core::clone::Clone::clone(self) }
            fn rewind(&mut self, to: &Self) { *self = ::core::clone::Clone::clone(to) }
            fn commit(&mut self, _: &Self) {}
            fn journal(&mut self, _: ::core::option::Option<u64>) {}
        }
    })
}

/// Parses `#[message(sends(a::B, c::D))]`.
fn sends(input: &DeriveInput) -> syn::Result<Vec<Path>> {
    let mut found = vec![];
    for attr in input.attrs.iter().filter(|a| a.path().is_ident("message")) {
        attr.parse_nested_meta(|meta| {
            if !meta.path.is_ident("sends") {
                return Err(meta.error("expected `sends(interface::Message, …)`"));
            }
            let inside;
            syn::parenthesized!(inside in meta.input);
            found.extend(Punctuated::<Path, Token![,]>::parse_terminated(&inside)?);
            Ok(())
        })?;
    }
    Ok(found)
}

/// One `Hears` for each variant with `#[from]`.
fn hears(input: &DeriveInput, all: &[Shape]) -> syn::Result<Vec<Tokens>> {
    let name = &input.ident;
    let marked = all.iter().filter(|s| s.attrs.iter().any(|a| a.path().is_ident("from")));
    marked
        .map(|shape| {
            let [field] = &shape.fields[..] else {
                return Err(Error::new_spanned(&shape.path, "#[from] needs exactly one field"));
            };
            let (path, member, ty) = (&shape.path, &field.member, field.ty);
            Ok(quote! {
                impl ::engine::Hears<#ty> for #name {
                    fn hear(m: #ty) -> Self { #path { #member: m } }
                }
            })
        })
        .collect()
}

/// `Message` and `Says`: the model's own vocabulary and the foreign messages that its LPs send.
fn voice(input: &DeriveInput, sends: &[Path], ports: usize) -> Tokens {
    let (name, vis) = (&input.ident, &input.vis);
    if sends.is_empty() {
        return quote! {
            impl ::engine::Message for #name { type Out = Self; const PORTS: usize = #ports; }
            impl ::engine::Says<#name> for #name {
                #[inline(always)]
                fn say(m: Self) -> Self { m }
            }
            impl<O: ::engine::Carries<#name>> ::engine::Lift<O> for #name {
                #[inline(always)]
                fn lift(self) -> O { O::carry(self) }
            }
        };
    }
    let out = format_ident!("{name}Out");
    let foreign: Vec<_> = (0..sends.len()).map(|i| format_ident!("Foreign{i}")).collect();
    quote! {
        #[doc(hidden)]
        #vis enum #out { Own(#name), #(#foreign(#sends)),* }
        impl ::engine::Message for #name { type Out = #out; const PORTS: usize = #ports; }
        impl ::engine::Says<#name> for #name {
            #[inline(always)]
            fn say(m: #name) -> #out { #out::Own(m) }
        }
        #(impl ::engine::Says<#sends> for #name {
            #[inline(always)]
            fn say(m: #sends) -> #out { #out::#foreign(m) }
        })*
        impl<O: ::engine::Carries<#name> #(+ ::engine::Carries<#sends>)*>
            ::engine::Lift<O> for #out
        {
            #[inline(always)]
            fn lift(self) -> O {
                match self { #out::Own(m) => O::carry(m), #(#out::#foreign(m) => O::carry(m)),* }
            }
        }
    }
}

pub(crate) fn value(input: &DeriveInput, all: &[Shape]) -> Tokens {
    let name = &input.ident;
    let clones = all.iter().map(|s| {
        let (pattern, path, names) = (s.pattern("a"), &s.path, s.names("a"));
        let members = s.fields.iter().map(|f| &f.member);
        quote!(#pattern => #path { #(#members: ::core::clone::Clone::clone(#names)),* },)
    });
    let equals = all.iter().map(|s| {
        let (p, q, a, b) = (s.pattern("a"), s.pattern("b"), s.names("a"), s.names("b"));
        quote!((#p, #q) => true #(&& #a == #b)*,)
    });
    let debugs = all.iter().map(|s| {
        let (pattern, names) = (s.pattern("a"), s.names("a"));
        let label = if s.name.is_empty() { name.to_string() } else { s.name.clone() };
        let fields = s.fields.iter().map(|f| f.label());
        quote!(#pattern => f.debug_struct(#label)#(.field(#fields, #names))*.finish(),)
    });
    quote! {
        impl ::core::clone::Clone for #name {
            #[inline(always)]
            fn clone(&self) -> Self { match self { #(#clones)* _ => unreachable!() } }
        }
        impl ::core::cmp::PartialEq for #name {
            #[allow(unreachable_patterns)]
            fn eq(&self, o: &Self) -> bool { match (self, o) { #(#equals)* _ => false } }
        }
        impl ::core::fmt::Debug for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self { #(#debugs)* _ => unreachable!() }
            }
        }
    }
}
