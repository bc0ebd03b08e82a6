//! Files as they lie: plain, packed by gzip, or standard input.
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// The first bytes of what gzip wrote.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A file's bytes without the packing that its first bytes tell; `-` is standard input.
///
/// # Errors
/// It cannot be opened or read.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut raw: Box<dyn Read> = match path.to_str() {
        Some("-") => Box::new(io::stdin().lock()),
        _ => Box::new(File::open(path)?),
    };
    let mut magic = Vec::new();
    (&mut raw).take(GZIP.len() as u64).read_to_end(&mut magic)?;
    let packed = magic == GZIP;
    let whole = Cursor::new(magic).chain(raw);
    Ok(match packed {
        true => {
            Box::new(BufReader::with_capacity(1 << 16, flate2::read::MultiGzDecoder::new(whole)))
        }
        false => Box::new(BufReader::with_capacity(1 << 16, whole)),
    })
}

/// The whole of a file as text, unpacked; one of more bytes than that is refused.
///
/// # Errors
/// It cannot be read, or is larger; for people.
pub fn text(path: &Path, most: u64) -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
    read.map_err(|e| why(&e))?;
    match bytes.len() as u64 > most {
        true => Err(format!("more than {} MiB", most >> 20)),
        false => Ok(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// What the operating system or the unpacking says.
pub fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput => {
            "its packed data end in the middle or are damaged. Expected a whole .gz file".into()
        }
        _ => error.to_string(),
    }
}
