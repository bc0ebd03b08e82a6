//! Seals into another buffer. `aws-lc-rs` seals only in place, after a copy.
use aws_lc_rs::aead::{AES_128_GCM, Algorithm, NONCE_LEN};
use aws_lc_sys::{EVP_AEAD_CTX, EVP_AEAD_CTX_free, EVP_AEAD_CTX_new, EVP_AEAD_CTX_seal_scatter};
use aws_lc_sys::{EVP_aead_aes_128_gcm, EVP_aead_chacha20_poly1305};
use std::io;
use std::ptr::NonNull;

/// Tag of both algorithms \[bytes\].
const TAG: usize = 16;

pub(super) struct Sealer(NonNull<EVP_AEAD_CTX>);

// SAFETY: nothing in it belongs to a thread; sealing does not change it.
unsafe impl Send for Sealer {}

impl Sealer {
    /// AES-128-GCM or ChaCha20-Poly1305, with a key of the algorithm's length.
    pub(super) fn new(algorithm: &Algorithm, key: &[u8]) -> io::Result<Sealer> {
        // SAFETY: the key is as long as is said; what comes back is ours until it is given back.
        let made = unsafe {
            let aead = match *algorithm == AES_128_GCM {
                true => EVP_aead_aes_128_gcm(),
                false => EVP_aead_chacha20_poly1305(),
            };
            EVP_AEAD_CTX_new(aead, key.as_ptr(), key.len(), TAG)
        };
        NonNull::new(made).map(Sealer).ok_or_else(|| io::Error::other("TLS: no key"))
    }

    /// Appends `content` and the byte `kind`, sealed, with their tag. `head` is authenticated only.
    pub(super) fn seal(
        &self,
        nonce: &[u8; NONCE_LEN],
        head: &[u8],
        (content, kind): (&[u8], u8),
        out: &mut Vec<u8>,
    ) {
        let (start, length, mut rest) = (out.len(), content.len(), 0);
        out.reserve(length + 1 + TAG);
        // SAFETY: there is room for content, kind and tag behind what is there, and no reader of
        // it; all that the call reads is as long as is said.
        let is_sealed = unsafe {
            let place = out.as_mut_ptr().add(start);
            EVP_AEAD_CTX_seal_scatter(
                self.0.as_ptr(),
                place,
                place.add(length),
                &mut rest,
                1 + TAG,
                nonce.as_ptr(),
                nonce.len(),
                content.as_ptr(),
                length,
                &kind,
                1,
                head.as_ptr(),
                head.len(),
            )
        };
        assert!(is_sealed == 1 && rest == 1 + TAG, "a record is not too long");
        // SAFETY: all of it was written.
        unsafe { out.set_len(start + length + rest) }
    }
}

impl Drop for Sealer {
    fn drop(&mut self) {
        // SAFETY: it is ours, and no other reference exists.
        unsafe { EVP_AEAD_CTX_free(self.0.as_ptr()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};

    #[test]
    fn what_is_sealed_elsewhere_is_opened_in_place() {
        for algorithm in [&AES_128_GCM, &CHACHA20_POLY1305] {
            let key = vec![7; algorithm.key_len()];
            let sealer = Sealer::new(algorithm, &key).expect("a key");
            let key = LessSafeKey::new(UnboundKey::new(algorithm, &key).expect("a key"));
            for length in [0usize, 1, 63, 4096, 16_320, 16_384] {
                let content: Vec<u8> = (0..length).map(|at| ((at * at) >> 3) as u8).collect();
                let mut out = b"before".to_vec();
                sealer.seal(&[3; NONCE_LEN], b"head", (&content, 23), &mut out);
                let (before, sealed) = out.split_at_mut(6);
                let nonce = Nonce::assume_unique_for_key([3; NONCE_LEN]);
                let opened = key.open_in_place(nonce, Aad::from(b"head"), sealed).expect("it is");
                assert!(before == b"before" && opened.split_last() == Some((&23, &content[..])));
            }
        }
    }
}
