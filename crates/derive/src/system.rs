use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote, quote_spanned};
use syn::{
    Data, DeriveInput, Error, Ident, Path, Token, Type, punctuated::Punctuated, spanned::Spanned,
};

struct Kind<'a> {
    variant: &'a Ident,
    ty: &'a Type,
    hears: Vec<Path>,
}

fn kinds(input: &DeriveInput) -> syn::Result<Vec<Kind<'_>>> {
    let Data::Enum(e) = &input.data else {
        return Err(Error::new_spanned(
            &input.ident,
            "an enum with one variant per kind of LP is expected",
        ));
    };
    e.variants
        .iter()
        .map(|v| {
            let syn::Fields::Unnamed(f) = &v.fields else {
                return Err(Error::new_spanned(v, "expected `Kind(path::Model)`"));
            };
            let Some(field) = f.unnamed.first().filter(|_| f.unnamed.len() == 1) else {
                return Err(Error::new_spanned(v, "expected `Kind(path::Model)`"));
            };
            let mut hears = vec![];
            for a in v.attrs.iter().filter(|a| a.path().is_ident("hears")) {
                hears.extend(a.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)?)
            }
            Ok(Kind { variant: &v.ident, ty: &field.ty, hears })
        })
        .collect()
}

/// Kinds of LP that share one Event and one Record (a NameNode and its DataNodes).
pub fn model(input: &DeriveInput) -> syn::Result<Tokens> {
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
    let once = |t: &Type| kinds.iter().filter(|k| k.ty == t).count() == 1;
    let from = kinds.iter().filter(|k| once(k.ty)).map(|k| {
        let (v, t) = (k.variant, k.ty);
        quote!(impl ::core::convert::From<#t> for #name { fn from(m: #t) -> Self { Self::#v(m) } })
    });
    Ok(quote! {
        impl ::engine::Model for #name {
            type Event = <#first as ::engine::Model>::Event;
            type Record = <#first as ::engine::Model>::Record;
            #[inline(always)]
            fn handle(&mut self, event: &Self::Event, cx: &impl ::engine::Context<Self::Event, Self::Record>) { match self { #(#handle)* } }
            fn finish(&self, cx: &impl ::engine::Recorder<Self::Record>) { match self { #(#finish)* } }
        }
        #(#from)*
    })
}

/// `storage::Reply` -> `StorageReply`
fn camel(p: &Path) -> Ident {
    let part = |s: &Ident| {
        let s = s.to_string();
        s[..1].to_uppercase() + &s[1..]
    };
    let n = p.segments.len();
    let text: String =
        p.segments.iter().skip(n.saturating_sub(2)).map(|s| part(&s.ident)).collect();
    Ident::new(&text, p.span())
}

/// `hdfs::Node` -> `hdfs::Event`. By name and not by `<hdfs::Node as Model>::Event`: rustc may not look through a
/// foreign type's associated type when it checks that impls do not overlap (E0119 in every crate but the model's own).
fn sibling(ty: &Type, name: &str) -> syn::Result<Type> {
    let Type::Path(p) = ty else {
        return Err(Error::new_spanned(
            ty,
            "expected `module::Node` beside `module::Event` and `module::Record`",
        ));
    };
    let mut p = p.clone();
    p.path.segments.last_mut().expect("a path").ident = Ident::new(name, ty.span());
    Ok(Type::Path(p))
}

/// Submodels of different vocabularies side by side: outer event and record, dispatch, lifting.
pub fn system(input: &DeriveInput) -> syn::Result<Tokens> {
    let (name, kinds) = (&input.ident, kinds(input)?);
    let (event, record) = (format_ident!("{name}Event"), format_ident!("{name}Record"));
    let mut foreign: Vec<&Path> = vec![];
    for p in kinds.iter().flat_map(|k| &k.hears) {
        if !foreign.iter().any(|q| quote!(#q).to_string() == quote!(#p).to_string()) {
            foreign.push(p)
        }
    }
    let (v, t): (Vec<_>, Vec<_>) = kinds.iter().map(|k| (k.variant, k.ty)).unzip();
    let te = t.iter().map(|t| sibling(t, "Event")).collect::<syn::Result<Vec<_>>>()?;
    let tr = t.iter().map(|t| sibling(t, "Record")).collect::<syn::Result<Vec<_>>>()?;
    let f: Vec<_> = foreign.iter().map(|p| camel(p)).collect();
    let arms = kinds.iter().map(|k| {
        let (v, t, hears) = (k.variant, k.ty, k.hears.iter().map(|p| {
            let (v, t, f) = (k.variant, k.ty, camel(p));
            quote_spanned!(p.span()=> (Self::#v(m), #event::#f(e)) => ::engine::Model::handle(m, &<<#t as ::engine::Model>::Event as ::engine::Hears<#p>>::hear(e.clone()), &::engine::Lifted::<_, #event, #record>::new(cx)),)
        }));
        quote_spanned!(t.span()=> (Self::#v(m), #event::#v(e)) => ::engine::Model::handle(m, e, &::engine::Lifted::<_, #event, #record>::new(cx)), #(#hears)*)
    });
    let finish = kinds.iter().map(|k| { let v = k.variant; quote!(Self::#v(m) => ::engine::Model::finish(m, &::engine::Lifted::<_, #event, #record>::new(cx)),) });
    let labels = v.iter().map(|v| v.to_string());
    Ok(quote! {
        #[derive(::engine::Message)]
        pub enum #event { #(#v(#te),)* #(#f(#foreign)),* }
        #[derive(::engine::Message)]
        pub enum #record { #(#v(#tr)),* }
        #(impl ::engine::Carries<#te> for #event { #[inline(always)] fn carry(m: #te) -> Self { #event::#v(m) } })*
        #(impl ::engine::Carries<#foreign> for #event { #[inline(always)] fn carry(m: #foreign) -> Self { #event::#f(m) } })*
        #(impl ::engine::Carries<#tr> for #record { #[inline(always)] fn carry(m: #tr) -> Self { #record::#v(m) } })*
        #(impl ::core::convert::From<#t> for #name { fn from(m: #t) -> Self { Self::#v(m) } })*
        impl ::engine::Model for #name {
            type Event = #event;
            type Record = #record;
            #[inline(always)]
            fn handle(&mut self, event: &#event, cx: &impl ::engine::Context<#event, #record>) {
                match (self, event) {
                    #(#arms)*
                    #[allow(unreachable_patterns)]
                    (me, e) => panic!("a {} of {} was sent {e:?}: let its variant say #[hears(..)], or send it elsewhere", match me { #(Self::#v(_) => #labels),* }, stringify!(#name)),
                }
            }
            fn finish(&self, cx: &impl ::engine::Recorder<#record>) { match self { #(#finish)* } }
        }
    })
}
