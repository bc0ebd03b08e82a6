use crate::{digest, shapes};
use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote, quote_spanned};
use syn::{DeriveInput, Type, spanned::Spanned};

/// Said at once and by name, before the type checker's longer words.
const REPLACEMENTS: &[(&str, &str)] = &[
    ("Vec", "rewind::Queue (or rewind::Table by index)"),
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

fn forbid(ty: &Type) -> syn::Result<()> {
    let Type::Path(p) = ty else { return Ok(()) };
    let Some(last) = p.path.segments.last() else { return Ok(()) };
    match REPLACEMENTS.iter().find(|(bad, _)| last.ident == bad) {
        Some((bad, good)) => Err(syn::Error::new_spanned(
            ty,
            format!("`{bad}` cannot be rewound; in a model's state use {good}"),
        )),
        None => Ok(()),
    }
}

pub fn rewind(input: &DeriveInput) -> syn::Result<Tokens> {
    let all = shapes(input)?;
    let mut errors: Option<syn::Error> = None;
    for e in all.iter().flat_map(|s| &s.fields).filter_map(|f| forbid(f.1).err()) {
        match &mut errors {
            Some(es) => es.combine(e),
            none => *none = Some(e),
        }
    }
    if let Some(e) = errors {
        return Err(e);
    }
    let (name, (ig, tg, wh)) = (&input.ident, input.generics.split_for_impl());
    let mark = format_ident!("{name}Mark");
    let is_enum = matches!(input.data, syn::Data::Enum(_));
    let variant = |i: usize| {
        if is_enum {
            let v = format_ident!("V{i}");
            quote!(#mark::#v)
        } else {
            quote!(#mark)
        }
    };
    let types = all.iter().enumerate().map(|(i, s)| {
        let t = s
            .fields
            .iter()
            .map(|(_, t, _)| quote_spanned!(t.span()=> <#t as ::rewind::Rewind>::Mark));
        let v = format_ident!("V{i}");
        if is_enum { quote!(#v(#(#t),*)) } else { quote!((#(#t),*)) }
    });
    let body = if is_enum {
        quote!(pub enum #mark #ig #wh { #(#types),* })
    } else {
        quote!(pub struct #mark #ig #(#types)* #wh;)
    };
    let marks = all.iter().enumerate().map(|(i, s)| {
        let (pat, v) = (s.pattern("a"), variant(i));
        let calls = s
            .names("a")
            .into_iter()
            .zip(&s.fields)
            .map(|(n, f)| quote_spanned!(f.2.span()=> ::rewind::Rewind::mark(#n)));
        quote!(#pat => #v(#(#calls),*),)
    });
    let both = |method: &str| {
        let method = format_ident!("{method}");
        all.iter()
            .enumerate()
            .map(|(i, s)| {
                let (pat, v, m) = (s.pattern("a"), variant(i), s.names("m"));
                let calls = s.names("a").into_iter().zip(&m).zip(&s.fields).map(
                    |((n, m), f)| quote_spanned!(f.2.span()=> ::rewind::Rewind::#method(#n, #m);),
                );
                quote!((#pat, #v(#(#m),*)) => { #(#calls)* })
            })
            .collect::<Vec<_>>()
    };
    let (rewinds, commits) = (both("rewind"), both("commit"));
    let journals = all.iter().map(|s| {
        let (p, n) = (s.pattern("a"), s.names("a"));
        quote!(#p => { #(::rewind::Rewind::journal(#n, from);)* })
    });
    let clocks = all.iter().map(|s| {
        let (p, n) = (s.pattern("a"), s.names("a"));
        quote!(#p => 0 #(.max(::rewind::Rewind::clock(#n)))*,)
    });
    let plain = all
        .iter()
        .flat_map(|s| s.fields.iter().map(|(_, t, _)| quote!(<#t as ::rewind::Rewind>::PLAIN)));
    let digest = digest(input, &all);
    Ok(quote! {
        const _: () = {
            #body
            impl #ig ::rewind::Rewind for #name #tg #wh {
                type Mark = #mark #tg;
                const PLAIN: bool = true #(&& #plain)*;
                #[inline(always)]
                fn mark(&self) -> Self::Mark { match self { #(#marks)* } }
                #[allow(unreachable_patterns)]
                fn rewind(&mut self, to: &Self::Mark) { match (self, to) { #(#rewinds)* _ => panic!("`{}` became another variant by assignment: hold it in a rewind::Var, or derive Scalar", stringify!(#name)) } }
                #[allow(unreachable_patterns)]
                fn commit(&mut self, upto: &Self::Mark) { match (self, upto) { #(#commits)* _ => panic!("`{}` became another variant by assignment: hold it in a rewind::Var, or derive Scalar", stringify!(#name)) } }
                #[allow(unused_variables)]
                fn journal(&mut self, from: ::core::option::Option<u64>) { match self { #(#journals)* } }
                #[allow(unused_variables)]
                fn clock(&self) -> u64 { match self { #(#clocks)* } }
            }
        };
        #digest
    })
}

pub fn scalar(input: &DeriveInput) -> syn::Result<Tokens> {
    let all = shapes(input)?;
    let (name, (ig, tg, wh)) = (&input.ident, input.generics.split_for_impl());
    let checks = all.iter().flat_map(|s| {
        s.fields.iter().map(|(_, t, _)| quote_spanned!(t.span()=> is_scalar::<#t>();))
    });
    let digest = digest(input, &all);
    let check = input.generics.params.is_empty().then(
        || quote!(const _: () = { const fn is_scalar<T: ::rewind::Scalar>() {} #(#checks)* };),
    );
    if let Some(p) = input.generics.params.first() {
        return Err(syn::Error::new_spanned(p, "a scalar has no parameters; see rewind::by_value!"));
    }
    let _ = (ig, tg, wh);
    Ok(quote!(#digest ::rewind::by_value!(for #name); #check))
}
