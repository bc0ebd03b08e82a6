//! SHA-256 of written and read files.
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read, Seek, Write};

/// A writer that hashes its bytes.
pub struct HashingWriter {
    inner: io::BufWriter<File>,
    hash: Sha256,
}

impl HashingWriter {
    /// Writes into this file.
    pub fn new(file: File) -> HashingWriter {
        HashingWriter { inner: io::BufWriter::new(file), hash: Sha256::new() }
    }
    /// Syncs the file and returns the hash in hexadecimal.
    pub fn finish(mut self) -> io::Result<String> {
        self.inner.flush()?;
        self.inner.get_ref().sync_all()?;
        Ok(hex(self.hash))
    }
}

impl Write for HashingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.inner.write(bytes)?;
        self.hash.update(&bytes[..n]);
        Ok(n)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Hashes a file and rewinds it.
pub fn hash_file(file: &mut File) -> io::Result<String> {
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 256 << 10]);
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            n => hash.update(&buffer[..n]),
        }
    }
    file.rewind()?;
    Ok(hex(hash))
}
