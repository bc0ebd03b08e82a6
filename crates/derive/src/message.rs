use crate::{digest, shapes};
use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote};
use syn::{DeriveInput, Path, Token, punctuated::Punctuated};

/// `#[message(sends(a::B, c::D))]`
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

/// Clone, Debug, PartialEq, Digest; the foreign messages this vocabulary may send; `From` for `#[from]` variants.
pub fn message(input: &DeriveInput) -> syn::Result<Tokens> {
    if let Some(p) = input.generics.params.first() {
        return Err(syn::Error::new_spanned(
            p,
            "a message has no parameters: it must mean the same on every rank",
        ));
    }
    let all = shapes(input)?;
    let name = &input.ident;
    let clones = all.iter().map(|s| {
        let (p, path, n) = (s.pattern("a"), &s.path, s.names("a"));
        let m = s.fields.iter().map(|f| &f.0);
        quote!(#p => #path { #(#m: ::core::clone::Clone::clone(#n)),* },)
    });
    let equals = all.iter().map(|s| {
        let (p, q, a, b) = (s.pattern("a"), s.pattern("b"), s.names("a"), s.names("b"));
        quote!((#p, #q) => true #(&& #a == #b)*,)
    });
    let debugs = all.iter().map(|s| {
        let (p, n, label) = (
            s.pattern("a"),
            s.names("a"),
            if s.name.is_empty() { name.to_string() } else { s.name.clone() },
        );
        let f = s.fields.iter().map(|f| match &f.0 {
            syn::Member::Named(n) => n.to_string(),
            syn::Member::Unnamed(i) => i.index.to_string(),
        });
        quote!(#p => f.debug_struct(#label)#(.field(#f, #n))*.finish(),)
    });
    let mut froms = vec![];
    for s in all.iter().filter(|s| s.attrs.iter().any(|a| a.path().is_ident("from"))) {
        let [(member, ty, _)] = &s.fields[..] else {
            return Err(syn::Error::new_spanned(&s.path, "#[from] needs exactly one field"));
        };
        let path = &s.path;
        froms.push(quote!(impl ::engine::Hears<#ty> for #name { fn hear(m: #ty) -> Self { #path { #member: m } } }));
    }
    let (sends, digest) = (sends(input)?, digest(input, &all));
    let voice = if sends.is_empty() {
        quote! {
            impl ::engine::Message for #name { type Out = Self; }
            impl ::engine::Says<#name> for #name { #[inline(always)] fn say(m: Self) -> Self { m } }
            impl<O: ::engine::Carries<#name>> ::engine::Lift<O> for #name { #[inline(always)] fn lift(self) -> O { O::carry(self) } }
        }
    } else {
        let out = format_ident!("{name}Out");
        let v: Vec<_> = (0..sends.len()).map(|i| format_ident!("Foreign{i}")).collect();
        quote! {
            #[doc(hidden)] pub enum #out { Own(#name), #(#v(#sends)),* }
            impl ::engine::Message for #name { type Out = #out; }
            impl ::engine::Says<#name> for #name { fn say(m: #name) -> #out { #out::Own(m) } }
            #(impl ::engine::Says<#sends> for #name { fn say(m: #sends) -> #out { #out::#v(m) } })*
            impl<O: ::engine::Carries<#name> #(+ ::engine::Carries<#sends>)*> ::engine::Lift<O> for #out {
                fn lift(self) -> O { match self { #out::Own(m) => O::carry(m), #(#out::#v(m) => O::carry(m)),* } }
            }
        }
    };
    Ok(quote! {
        impl ::core::clone::Clone for #name { #[inline(always)] fn clone(&self) -> Self { match self { #(#clones)* _ => unreachable!() } } }
        impl ::core::cmp::PartialEq for #name { #[allow(unreachable_patterns)] fn eq(&self, o: &Self) -> bool { match (self, o) { #(#equals)* _ => false } } }
        impl ::core::fmt::Debug for #name { fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { match self { #(#debugs)* _ => unreachable!() } } }
        impl ::engine::Carries<#name> for #name { #[inline(always)] fn carry(m: Self) -> Self { m } }
        #(#froms)*
        impl ::engine::Hears<::engine::Nothing> for #name { fn hear(m: ::engine::Nothing) -> Self { match m {} } }
        impl ::engine::Hears<#name> for #name { fn hear(m: Self) -> Self { m } }
        impl ::engine::Says<::engine::Nothing> for #name { fn say(m: ::engine::Nothing) -> <Self as ::engine::Message>::Out { match m {} } }
        #digest
        #voice
    })
}
