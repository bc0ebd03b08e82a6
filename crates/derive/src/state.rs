//! `#[derive(Rewind)]` and `#[derive(Scalar)]`: types in a model's state.
use crate::{
    digest::digest,
    forbid::forbid,
    shape::{Shape, is_enum, shapes},
    wire::wire,
};
use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote, quote_spanned};
use syn::{DeriveInput, Error, Ident, spanned::Spanned};

/// Types that cannot be rolled back, or that differ between machines.
const REPLACEMENTS: &[(&str, &str)] = &[
    ("Vec", "rewind::Queue, or rewind::Array for scalars found by index"),
    ("VecDeque", "rewind::Queue"),
    ("HashMap", "rewind::Table"),
    ("BTreeMap", "rewind::Table"),
    ("HashSet", "rewind::Table<K, ()>"),
    ("BTreeSet", "rewind::Table<K, ()>"),
    ("BinaryHeap", "rewind::Table<(priority, id), V>"),
    ("String", "rewind::Var<String>, or a number"),
    ("Rc", "rewind::Shared, read-only"),
    ("Arc", "rewind::Shared, read-only"),
    ("RefCell", "the value itself: handlers have `&mut self`"),
    ("Cell", "the value itself: handlers have `&mut self`"),
    ("usize", "u32 or u64: usize differs between machines"),
    ("isize", "i64"),
    ("f32", "f64"),
];

pub(crate) fn rewind(input: &DeriveInput) -> syn::Result<Tokens> {
    let all = shapes(input)?;
    forbid(&all, REPLACEMENTS, "cannot be rewound, so a model's state cannot contain it")?;
    let (name, (ig, tg, wh)) = (&input.ident, input.generics.split_for_impl());
    let mark = format_ident!("{name}Mark");
    let body = mark_type(input, &all, &mark);
    let marks = all.iter().enumerate().map(|(i, s)| {
        let (pattern, of) = (s.pattern("a"), mark_path(input, &mark, i));
        let calls = s
            .names("a")
            .into_iter()
            .zip(&s.fields)
            .map(|(n, f)| quote_spanned!(f.whole.span()=> ::rewind::Rewind::mark(#n)));
        quote!(#pattern => #of(#(#calls),*),)
    });
    let (rewinds, commits) =
        (both(input, &all, &mark, "rewind"), both(input, &all, &mark, "commit"));
    let journals = all.iter().map(|s| {
        let (pattern, names) = (s.pattern("a"), s.names("a"));
        quote!(#pattern => { #(::rewind::Rewind::journal(#names, from);)* })
    });
    let clocks = all.iter().map(|s| {
        let (pattern, names) = (s.pattern("a"), s.names("a"));
        quote!(#pattern => 0 #(.max(::rewind::Rewind::clock(#names)))*,)
    });
    let types = all.iter().flat_map(|s| s.fields.iter().map(|f| f.ty));
    let digest = digest(input, &all);
    Ok(quote! {
        const _: () = {
            #body
            impl #ig ::rewind::Rewind for #name #tg #wh {
                type Mark = #mark #tg;
                const PLAIN: bool = true #(&& <#types as ::rewind::Rewind>::PLAIN)*;
                #[inline(always)]
                fn mark(&self) -> Self::Mark { match self { #(#marks)* } }
                #[allow(unreachable_patterns)]
                fn rewind(&mut self, to: &Self::Mark) {
                    match (self, to) {
                        #(#rewinds)*
                        _ => panic!(
                            "`{}` became another variant by assignment: hold it in a rewind::Var, \
                             or derive Scalar",
                            stringify!(#name)
                        ),
                    }
                }
                // Another variant is another row of a table under the same key, so it shares no
                // history to commit.
                #[allow(unreachable_patterns)]
                fn commit(&mut self, upto: &Self::Mark) {
                    match (self, upto) { #(#commits)* _ => {} }
                }
                #[allow(unused_variables)]
                fn journal(&mut self, from: ::core::option::Option<u64>) {
                    match self { #(#journals)* }
                }
                #[allow(unused_variables)]
                fn clock(&self) -> u64 { match self { #(#clocks)* } }
            }
        };
        #digest
    })
}

/// A struct's mark is a struct of marks; an enum's mark is an enum.
fn mark_type(input: &DeriveInput, all: &[Shape], mark: &Ident) -> Tokens {
    let (ig, _, wh) = input.generics.split_for_impl();
    let types = all.iter().enumerate().map(|(i, s)| {
        let of = s.fields.iter().map(|f| {
            let ty = f.ty;
            quote_spanned!(ty.span()=> <#ty as ::rewind::Rewind>::Mark)
        });
        let variant = format_ident!("V{i}");
        if is_enum(input) { quote!(#variant(#(#of),*)) } else { quote!((#(#of),*)) }
    });
    if is_enum(input) {
        quote!(pub enum #mark #ig #wh { #(#types),* })
    } else {
        quote!(pub struct #mark #ig #(#types)* #wh;)
    }
}

fn mark_path(input: &DeriveInput, mark: &Ident, variant: usize) -> Tokens {
    let variant = format_ident!("V{variant}");
    if is_enum(input) { quote!(#mark::#variant) } else { quote!(#mark) }
}

/// Match arms on `(self, mark)` that call a method on every field with its mark.
fn both(input: &DeriveInput, all: &[Shape], mark: &Ident, method: &str) -> Vec<Tokens> {
    let method = format_ident!("{method}");
    let arm = |(i, s): (usize, &Shape)| {
        let (pattern, of, marks) = (s.pattern("a"), mark_path(input, mark, i), s.names("m"));
        let calls =
            s.names("a").into_iter().zip(&marks).zip(&s.fields).map(
                |((n, m), f)| quote_spanned!(f.whole.span()=> ::rewind::Rewind::#method(#n, #m);),
            );
        quote!((#pattern, #of(#(#marks),*)) => { #(#calls)* })
    };
    all.iter().enumerate().map(arm).collect()
}

pub(crate) fn scalar(input: &DeriveInput) -> syn::Result<Tokens> {
    let all = shapes(input)?;
    if let Some(parameter) = input.generics.params.first() {
        return Err(Error::new_spanned(
            parameter,
            "a scalar has no parameters; see rewind::by_value!",
        ));
    }
    let name = &input.ident;
    let checks = all.iter().flat_map(|s| {
        s.fields.iter().map(|f| {
            let ty = f.ty;
            quote_spanned!(ty.span()=> is_scalar::<#ty>();)
        })
    });
    let (digest, wire) = (digest(input, &all), wire(input, &all));
    Ok(quote! {
        #digest
        #wire
        ::rewind::by_value!(for #name);
        const _: () = { const fn is_scalar<T: ::rewind::Scalar>() {} #(#checks)* };
    })
}
