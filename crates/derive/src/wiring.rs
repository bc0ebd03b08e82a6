//! `#[derive(Wiring)]`: joins submodels with vocabularies of their own. Generates the outer event
//! and record, the dispatch and the lifting.
use crate::kinds::{Kind, kinds, once};
use proc_macro2::TokenStream as Tokens;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{DeriveInput, Error, Ident, Path, Type, spanned::Spanned};

struct Wiring<'a> {
    name: &'a Ident,
    event: Ident,
    record: Ident,
    kinds: Vec<Kind<'a>>,
}

pub(crate) fn wiring(input: &DeriveInput) -> syn::Result<Tokens> {
    let (name, vis) = (&input.ident, &input.vis);
    let (event, record) = (format_ident!("{name}Event"), format_ident!("{name}Record"));
    let wiring = Wiring { name, event, record, kinds: kinds(input)? };
    let (vocabularies, model) = (wiring.vocabularies(vis)?, wiring.model());
    let ports = wiring.kinds.iter().map(ports).collect::<syn::Result<Vec<_>>>()?;
    let from = wiring.kinds.iter().filter(|k| once(&wiring.kinds, k.ty)).map(|k| {
        let (v, t) = (k.variant, k.ty);
        quote! {
            impl ::core::convert::From<#t> for #name { fn from(m: #t) -> Self { Self::#v(m) } }
        }
    });
    Ok(quote! { #vocabularies #model #(#from)* #(#ports)* })
}

impl Wiring<'_> {
    /// One variant for each type. Two clusters of the same store share one vocabulary.
    fn merged(&self) -> Vec<&Kind<'_>> {
        let mut found: Vec<&Kind> = vec![];
        for kind in &self.kinds {
            if !found.iter().any(|other| other.ty == kind.ty) {
                found.push(kind)
            }
        }
        found
    }

    /// The variant that carries a kind's vocabulary: the first with its type.
    fn vocabulary(&self, kind: &Kind) -> &Ident {
        self.kinds.iter().find(|other| other.ty == kind.ty).expect("itself at least").variant
    }

    fn foreign(&self) -> Vec<&Path> {
        let mut found: Vec<&Path> = vec![];
        for path in self.kinds.iter().flat_map(|k| &k.hears) {
            if !found.contains(&path) {
                found.push(path)
            }
        }
        found
    }

    fn vocabularies(&self, vis: &syn::Visibility) -> syn::Result<Tokens> {
        let (event, record, merged) = (&self.event, &self.record, self.merged());
        let v: Vec<_> = merged.iter().map(|k| k.variant).collect();
        let events =
            merged.iter().map(|k| sibling(k.ty, "Event")).collect::<Result<Vec<_>, _>>()?;
        let records =
            merged.iter().map(|k| sibling(k.ty, "Record")).collect::<Result<Vec<_>, _>>()?;
        let foreign = self.foreign();
        let f: Vec<_> = foreign.iter().map(|p| camel(p)).collect();
        Ok(quote! {
            #[allow(missing_docs)]
            #[derive(::engine::Message)]
            #vis enum #event { #(#v(#events),)* #(#f(#foreign)),* }
            #[allow(missing_docs)]
            #[derive(::engine::Message)]
            #vis enum #record { #(#v(#records)),* }
            #(impl ::engine::Carries<#events> for #event {
                #[inline(always)]
                fn carry(m: #events) -> Self { #event::#v(m) }
            })*
            #(impl ::engine::Carries<#foreign> for #event {
                #[inline(always)]
                fn carry(m: #foreign) -> Self { #event::#f(m) }
            })*
            #(impl ::engine::Carries<#records> for #record {
                #[inline(always)]
                fn carry(m: #records) -> Self { #record::#v(m) }
            })*
        })
    }

    fn model(&self) -> Tokens {
        let (name, event, record) = (self.name, &self.event, &self.record);
        let arms = self.kinds.iter().map(|k| self.arms(k));
        let finish = self.kinds.iter().map(|k| {
            let v = k.variant;
            quote! {
                Self::#v(m) => {
                    let cx = ::engine::WrappedContext::<_, #event, #record>::new(cx);
                    ::engine::Model::finish(m, &cx)
                }
            }
        });
        let foresee = self.kinds.iter().map(|k| {
            let (v, own) = (k.variant, self.vocabulary(k));
            quote!((Self::#v(m), #event::#own(e)) => ::engine::Model::foresee(m, e, step),)
        });
        let (variants, labels): (Vec<_>, Vec<_>) =
            self.kinds.iter().map(|k| (k.variant, k.variant.to_string())).unzip();
        quote! {
            impl ::engine::Model for #name {
                type Event = #event;
                type Record = #record;
                #[inline(always)]
                fn handle(&mut self, event: &#event, cx: &impl ::engine::Context<#event, #record>) {
                    match (self, event) {
                        #(#arms)*
                        #[allow(unreachable_patterns)]
                        (me, e) => panic!(
                            "a {} of {} was sent {e:?}: let its variant say #[hears(..)], or send \
                             it elsewhere",
                            match me { #(Self::#variants(_) => #labels),* },
                            stringify!(#name)
                        ),
                    }
                }
                #[inline(always)]
                fn foresee(&self, event: &#event, step: u32) {
                    match (self, event) {
                        #(#foresee)*
                        // An interface's messages are translated only when they are handled.
                        _ => {}
                    }
                }
                fn finish(&self, cx: &impl ::engine::Recorder<#record>) {
                    match self { #(#finish)* }
                }
            }
        }
    }

    /// Match arms for a kind's own vocabulary and for each interface that it handles.
    fn arms(&self, kind: &Kind) -> Tokens {
        let (v, t, own) = (kind.variant, kind.ty, self.vocabulary(kind));
        let (event, record) = (&self.event, &self.record);
        let cx = quote!(&::engine::WrappedContext::<_, #event, #record>::new(cx));
        let hears = kind.hears.iter().map(|path| {
            let f = camel(path);
            quote_spanned!(path.span()=>
                (Self::#v(m), #event::#f(e)) => {
                    let e = e.clone();
                    let e = <<#t as ::engine::Model>::Event as ::engine::Hears<#path>>::hear(e);
                    ::engine::Model::handle(m, &e, #cx)
                }
            )
        });
        quote_spanned!(t.span()=>
            (Self::#v(m), #event::#own(e)) => ::engine::Model::handle(m, e, #cx),
            #(#hears)*
        )
    }
}

/// Checks at compile time that `#[hears]` lists all interfaces of a kind: the vocabulary has their
/// number.
fn ports(kind: &Kind) -> syn::Result<Tokens> {
    let (event, listed) = (sibling(kind.ty, "Event")?, kind.hears.len());
    let text = format!(
        "`{}` has variants with #[from] that its #[hears(..)] in this wiring does not list, or \
         lists twice",
        event.to_token_stream().to_string().replace(' ', "")
    );
    Ok(quote_spanned!(kind.variant.span()=>
        const _: () = assert!(<#event as ::engine::Message>::PORTS == #listed, #text);
    ))
}

/// `storage::Reply` → `StorageReply`
fn camel(path: &Path) -> Ident {
    let part = |segment: &Ident| {
        let text = segment.to_string();
        text[..1].to_uppercase() + &text[1..]
    };
    let skip = path.segments.len().saturating_sub(2);
    let text: String = path.segments.iter().skip(skip).map(|s| part(&s.ident)).collect();
    Ident::new(&text, path.span())
}

/// `store::Node` → `store::Event`, by name and not by `<store::Node as Model>::Event`. rustc may
/// not look through a foreign type's associated type when it checks that impls do not overlap
/// (E0119 in every crate but the model's own).
fn sibling(ty: &Type, name: &str) -> syn::Result<Type> {
    let Type::Path(path) = ty else {
        return Err(Error::new_spanned(
            ty,
            "expected `module::Node` beside `module::Event` and `module::Record`",
        ));
    };
    let mut path = path.clone();
    let last = path.path.segments.last_mut().expect("a path");
    (last.ident, last.arguments) = (Ident::new(name, ty.span()), Default::default());
    Ok(Type::Path(path))
}
