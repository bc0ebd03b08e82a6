//! `impl Wire`: the byte form of a value between machines.
use crate::shape::{Shape, is_enum};
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::DeriveInput;

pub(crate) fn wire(input: &DeriveInput, shapes: &[Shape]) -> Tokens {
    let name = &input.ident;
    let words = words(input, shapes);
    let types = shapes.iter().flat_map(|s| s.fields.iter().map(|f| f.ty));
    let encodes = (0u16..).zip(shapes).map(|(i, s)| {
        let (pattern, names) = (s.pattern("a"), s.names("a"));
        let tag = is_enum(input).then(|| quote!(::rewind::Wire::encode(&#i, out);));
        quote!(#pattern => { #tag #(::rewind::Wire::encode(#names, out);)* })
    });
    let decode = decode(input, shapes);
    quote! {
        impl ::rewind::Wire for #name {
            const SCHEMA: u64 =
                ::rewind::schema(#words, &[#(<#types as ::rewind::Wire>::SCHEMA),*]);
            #[allow(unused_variables)]
            fn encode(&self, out: &mut ::std::vec::Vec<u8>) {
                match self { #(#encodes)* _ => unreachable!() }
            }
            #[allow(unused_variables)]
            fn decode(
                from: &mut ::rewind::Reader<'_>,
            ) -> ::core::result::Result<Self, ::rewind::WireError> { #decode }
        }
    }
}

/// All names in order. The schema hashes them together with the schemas of the fields.
fn words(input: &DeriveInput, shapes: &[Shape]) -> String {
    let mut words = input.ident.to_string();
    for shape in shapes {
        words += &format!("|{}", shape.name);
        shape.fields.iter().for_each(|f| words += &format!(",{}", f.label()))
    }
    words
}

fn decode(input: &DeriveInput, shapes: &[Shape]) -> Tokens {
    let values: Vec<Tokens> = shapes
        .iter()
        .map(|s| {
            let (path, members) = (&s.path, s.fields.iter().map(|f| &f.member));
            quote!(#path { #(#members: ::rewind::Wire::decode(from)?),* })
        })
        .collect();
    if !is_enum(input) {
        return quote!(::core::result::Result::Ok(#(#values)*));
    }
    let tags = (0u16..).take(values.len());
    quote! {
        ::core::result::Result::Ok(match from.tag()? {
            #(#tags => #values,)*
            _ => return ::core::result::Result::Err(::rewind::WireError::Invalid),
        })
    }
}
