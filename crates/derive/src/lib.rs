//! All derives: `Rewind`, `Scalar` (state) and `Message`, `Model`, `System` (engine).
mod message;
mod state;
mod system;
use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use syn::{DeriveInput, parse_macro_input};

fn run(input: TokenStream, f: fn(&DeriveInput) -> syn::Result<Tokens>) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    f(&input).unwrap_or_else(|e| e.into_compile_error()).into()
}
#[proc_macro_derive(Rewind)]
pub fn rewind(input: TokenStream) -> TokenStream {
    run(input, state::rewind)
}
#[proc_macro_derive(Scalar)]
pub fn scalar(input: TokenStream) -> TokenStream {
    run(input, state::scalar)
}
#[proc_macro_derive(Message, attributes(message, from))]
pub fn message(input: TokenStream) -> TokenStream {
    run(input, message::message)
}
#[proc_macro_derive(Model)]
pub fn model(input: TokenStream) -> TokenStream {
    run(input, system::model)
}
#[proc_macro_derive(System, attributes(hears))]
pub fn system(input: TokenStream) -> TokenStream {
    run(input, system::system)
}

/// A struct is seen as an enum of one variant, so that each derive is written once.
struct Shape<'a> {
    path: Tokens,
    name: String,
    fields: Vec<(syn::Member, &'a syn::Type, &'a syn::Field)>,
    attrs: &'a [syn::Attribute],
}

fn shapes(input: &DeriveInput) -> syn::Result<Vec<Shape<'_>>> {
    let members = |fields: &syn::Fields| fields.members().collect::<Vec<_>>();
    let make = |path, name, fields: &'_ syn::Fields| (path, name, members(fields));
    match &input.data {
        syn::Data::Struct(s) => {
            let (path, name, m) = make(quote::quote!(Self), String::new(), &s.fields);
            Ok(vec![Shape {
                path,
                name,
                fields: m.into_iter().zip(&s.fields).map(|(m, f)| (m, &f.ty, f)).collect(),
                attrs: &input.attrs,
            }])
        }
        syn::Data::Enum(e) => Ok(e
            .variants
            .iter()
            .map(|v| {
                let id = &v.ident;
                let (path, name, m) = make(quote::quote!(Self::#id), id.to_string(), &v.fields);
                Shape {
                    path,
                    name,
                    fields: m.into_iter().zip(&v.fields).map(|(m, f)| (m, &f.ty, f)).collect(),
                    attrs: &v.attrs,
                }
            })
            .collect()),
        syn::Data::Union(_) => {
            Err(syn::Error::new_spanned(&input.ident, "a union cannot be derived"))
        }
    }
}

impl Shape<'_> {
    /// `a0, a1, …` bound to the fields.
    fn names(&self, letter: &str) -> Vec<syn::Ident> {
        (0..self.fields.len()).map(|i| quote::format_ident!("{letter}{i}")).collect()
    }
    fn pattern(&self, letter: &str) -> Tokens {
        let (path, names) = (&self.path, self.names(letter));
        let members = self.fields.iter().map(|f| &f.0);
        quote::quote!(#path { #(#members: #names),* })
    }
}

/// `impl Digest`: every derive needs it.
fn digest(input: &DeriveInput, shapes: &[Shape]) -> Tokens {
    let (name, (ig, tg, wh)) = (&input.ident, input.generics.split_for_impl());
    let is_enum = matches!(input.data, syn::Data::Enum(_));
    let arms = shapes.iter().enumerate().map(|(i, s)| {
        let (pat, names, tag) =
            (s.pattern("a"), s.names("a"), is_enum.then(|| quote::quote!(h.word(#i as u64);)));
        let calls = s.fields.iter().zip(&names).map(|((_, _, f), n)| {
            let span = syn::spanned::Spanned::span(&f.ty);
            quote::quote_spanned!(span=> ::rewind::Digest::digest(#n, h);)
        });
        quote::quote!(#pat => { #tag #(#calls)* })
    });
    let parts = shapes.iter().map(|s| {
        let (pat, names, v) = (s.pattern("a"), s.names("a"), &s.name);
        // A kind of LP wrapped in an enum shows its own fields.
        if is_enum && s.fields.len() == 1 {
            return quote::quote!(#pat => ::rewind::Digest::parts(a0, see),);
        }
        let labels = s.fields.iter().map(|(m, ..)| {
            let m = match m {
                syn::Member::Named(n) => n.to_string(),
                syn::Member::Unnamed(i) => i.index.to_string(),
            };
            if v.is_empty() { m } else { format!("{v}.{m}") }
        });
        quote::quote!(#pat => { #(see(#labels, ::rewind::Hasher::of(#names));)* })
    });
    quote::quote! {
        impl #ig ::rewind::Digest for #name #tg #wh {
            #[inline(always)] #[allow(unused_variables)]
            fn digest(&self, h: &mut ::rewind::Hasher) { match self { #(#arms)* _ => unreachable!() } }
            #[allow(unused_variables)]
            fn parts(&self, see: &mut dyn FnMut(&'static str, u128)) { match self { #(#parts)* _ => unreachable!() } }
        }
    }
}
