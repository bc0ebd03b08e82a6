//! The state of a cluster's handle, in safe code.
use crate::handle::{Code, Outcome, Problem};
use cborder::c_text;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::io;
use std::path::{Path, PathBuf};
use xor_relay::client::{self, Client, Error, FoundVersion, Strategy, connect};
use xor_relay::keys::Keys;
use xor_relay::transport::Kind;

/// Default block size \[bytes\].
const BLOCK: u32 = 64 << 10;

/// By their numbers in the header.
const SCHEDULES: [Strategy; 4] =
    [Strategy::Auto, Strategy::Naive, Strategy::Chain, Strategy::Pivot];

/// `tenbin_feed`
pub type Feed = unsafe extern "C" fn(*mut c_void, u64, *mut c_void, usize) -> c_int;
/// `tenbin_sink`
pub type Sink = unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> c_int;
/// `tenbin_watch`
pub type Watch = unsafe extern "C" fn(*mut c_void, u64, u64) -> c_int;
/// `tenbin_names`
pub type Names = unsafe extern "C" fn(*mut c_void, *const c_char, *const Object) -> c_int;

/// `tenbin_object`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// In bytes.
    pub length: u64,
    pub generation: u64,
    pub block_bytes: u32,
    pub lacking: u32,
    pub sha256: [u8; 32],
}

impl From<&FoundVersion> for Object {
    fn from(found: &FoundVersion) -> Object {
        Object {
            length: found.entry.length,
            generation: found.entry.version.generation,
            block_bytes: found.entry.block,
            lacking: found.lacking().len() as u32,
            sha256: found.entry.sha256,
        }
    }
}

pub(super) fn obeyed(code: c_int) -> io::Result<()> {
    match code {
        0 => Ok(()),
        other => Err(io::Error::other(format!("the callback returned {other}"))),
    }
}

pub struct Cluster {
    client: Option<Client>,
    addresses: Vec<String>,
    keys: Option<PathBuf>,
    block: u32,
    strategy: Strategy,
    watch: Option<(Watch, *mut c_void)>,
    /// The text that `tenbin_relay_missing` returned last.
    missing: CString,
}

impl Default for Cluster {
    fn default() -> Cluster {
        Cluster {
            client: None,
            addresses: Vec::new(),
            keys: None,
            block: BLOCK,
            strategy: Strategy::Auto,
            watch: None,
            missing: CString::default(),
        }
    }
}

/// The client; fails before a successful open.
fn standing(client: &mut Option<Client>) -> Result<&mut Client, Problem> {
    client.as_mut().ok_or_else(|| Problem::failed("the cluster could not be opened: reconnect"))
}

impl Cluster {
    pub(super) fn open(&mut self, addresses: Vec<String>, keys: Option<&Path>) -> Outcome {
        (self.addresses, self.keys) = (addresses, keys.map(Path::to_path_buf));
        self.connect()
    }

    /// Connects to all nodes; drops an earlier client.
    pub(super) fn connect(&mut self) -> Outcome {
        self.client = None;
        let keys = self.keys.as_deref().map(Keys::read).transpose().map_err(Error::from)?;
        let mut client = connect(&self.addresses, keys.as_ref(), Kind::Tcp)?;
        client.identify()?;
        let shortage = client.shortage();
        self.client = Some(client);
        shortage.map_or(Ok(()), |why| Err(Problem::failed(why)))
    }

    /// Number of unreachable nodes, and the reasons. The text is valid until the next call.
    pub(super) fn missing(&mut self) -> (usize, *const c_char) {
        let (count, words) = match &self.client {
            None => (self.addresses.len(), "the cluster could not be opened".to_string()),
            Some(client) => {
                let all = client.missing();
                let words: Vec<&str> = all.iter().map(|(_, why)| why.as_str()).collect();
                (all.len(), words.join("; "))
            }
        };
        self.missing = c_text(&words);
        (count, self.missing.as_ptr())
    }

    pub(super) fn set_block(&mut self, bytes: u32) -> Outcome {
        self.block = bytes;
        Ok(())
    }

    pub(super) fn set_schedule(&mut self, number: c_int) -> Outcome {
        let known = usize::try_from(number).ok().and_then(|number| SCHEDULES.get(number));
        self.strategy = *known
            .ok_or_else(|| Problem::bad(format!("schedule number {number} does not exist")))?;
        Ok(())
    }

    pub(super) fn set_watch(&mut self, watch: Option<Watch>, context: *mut c_void) -> Outcome {
        self.watch = watch.map(|watch| (watch, context));
        Ok(())
    }

    pub(super) fn put(
        &mut self,
        name: &str,
        length: u64,
        feed: &mut dyn FnMut(u64, &mut [u8]) -> io::Result<()>,
    ) -> Outcome {
        let mut watch = watching(self.watch);
        let client = standing(&mut self.client)?;
        client.put(name, length, self.block, self.strategy, feed, &mut watch)?;
        Ok(())
    }

    pub(super) fn find(&mut self, name: &str) -> Result<Object, Problem> {
        let client = standing(&mut self.client)?;
        // Identify the nodes first: then bad input can only mean the name.
        client.identify()?;
        match client.find(name) {
            Ok(found) => Ok(Object::from(&found)),
            Err(Error::BadInput(words)) if client.shortage().is_none() => {
                Err(Problem { code: Code::NotFound, words })
            }
            Err(other) => Err(other.into()),
        }
    }

    pub(super) fn get(
        &mut self,
        name: &str,
        sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Outcome {
        let mut watch = watching(self.watch);
        // The last stripe has empty slots after the object's end.
        let mut some = |bytes: &[u8]| if bytes.is_empty() { Ok(()) } else { sink(bytes) };
        standing(&mut self.client)?.get(name, &mut some, &mut watch)?;
        Ok(())
    }

    /// Fills the buffer; returns the number of bytes read.
    pub(super) fn get_into(&mut self, name: &str, buffer: &mut [u8]) -> Result<u64, Problem> {
        let (mut watch, mut to) = (watching(self.watch), Buffer { all: buffer, filled: 0 });
        standing(&mut self.client)?.get_into(name, &mut to, &mut watch)?;
        Ok(to.filled as u64)
    }

    pub(super) fn list(
        &mut self,
        tell: &mut dyn FnMut(&CStr, Option<&Object>) -> c_int,
    ) -> Outcome {
        let client = standing(&mut self.client)?;
        let survey = client.survey_all()?;
        let whole = survey.whole();
        let whole = whole.iter().map(|f| (f.entry.name.clone(), Some(Object::from(f))));
        let out = survey.out_of_reach().into_iter().map(|name| (name, None));
        let all: BTreeMap<String, Option<Object>> = whole.chain(out).collect();
        for (name, object) in &all {
            if tell(&c_text(name), object.as_ref()) != 0 {
                return Ok(());
            }
        }
        client.shortage().map_or(Ok(()), |why| Err(Problem::failed(why)))
    }

    pub(super) fn remove(&mut self, name: &str) -> Outcome {
        self.find(name)?;
        Ok(standing(&mut self.client)?.remove(name).map(drop)?)
    }
}

/// Adapts the C callback to the client's watcher.
fn watching(watch: Option<(Watch, *mut c_void)>) -> impl FnMut(u64, u64) -> bool {
    move |done, total| match watch {
        None => true,
        // SAFETY: the caller that set them keeps both alive until it sets others.
        Some((watch, context)) => unsafe { watch(context, done, total) == 0 },
    }
}

/// The caller's memory. It can start over if nodes delivered wrong blocks.
struct Buffer<'a> {
    all: &'a mut [u8],
    filled: usize,
}

impl client::Sink for Buffer<'_> {
    fn take(&mut self, bytes: &[u8]) -> io::Result<()> {
        let left = self.all[self.filled..].get_mut(..bytes.len());
        let left = left.ok_or_else(|| io::Error::other("a longer object has replaced this one"));
        left?.copy_from_slice(bytes);
        self.filled += bytes.len();
        Ok(())
    }

    fn restart(&mut self) -> io::Result<bool> {
        self.filled = 0;
        Ok(true)
    }
}
