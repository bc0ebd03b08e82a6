//! Reed-Solomon (k, 2) of ISA-L, loaded if installed (Debian: `libisal2`).
use libloading::Library;
use std::ffi::c_int;

/// File names on different systems.
const NAMES: [&str; 2] = ["libisal.so.2", "libisal.so"];
/// Parities of a stripe, and repaired losses.
pub const PARITIES: usize = 2;
/// Bytes of one coefficient.
const TABLE: usize = 32;

type Matrix = unsafe extern "C" fn(*mut u8, c_int, c_int);
type Invert = unsafe extern "C" fn(*mut u8, *mut u8, c_int) -> c_int;
type Init = unsafe extern "C" fn(c_int, c_int, *mut u8, *mut u8);
type Encode = unsafe extern "C" fn(c_int, c_int, c_int, *mut u8, *mut *mut u8, *mut *mut u8);

/// As in `erasure_code.h`.
pub struct Isal {
    matrix: Matrix,
    invert: Invert,
    init: Init,
    encode: Encode,
    _library: Library,
}

/// A product of a matrix and blocks, with precomputed tables.
pub struct Code<'i> {
    isal: &'i Isal,
    k: usize,
    tables: Vec<u8>,
}

impl Isal {
    /// `None`: not installed.
    pub fn load() -> Option<Isal> {
        // SAFETY: its initialisers only look at the CPU; the four functions have had these
        // signatures since version 2.0.
        unsafe {
            let library = NAMES.iter().find_map(|name| Library::new(name).ok())?;
            Some(Isal {
                matrix: *library.get(b"gf_gen_cauchy1_matrix").ok()?,
                invert: *library.get(b"gf_invert_matrix").ok()?,
                init: *library.get(b"ec_init_tables").ok()?,
                encode: *library.get(b"ec_encode_data").ok()?,
                _library: library,
            })
        }
    }

    pub fn encoder(&self, k: usize) -> Code<'_> {
        self.code(k, &mut self.generator(k)[k * k..])
    }

    /// Rebuilds the first two of k blocks from the others and both parities.
    pub fn repairer(&self, k: usize) -> Code<'_> {
        let mut left = self.generator(k)[PARITIES * k..].to_vec();
        let mut inverse = vec![0; k * k];
        // SAFETY: both are k by k.
        let failed = unsafe { (self.invert)(left.as_mut_ptr(), inverse.as_mut_ptr(), whole(k)) };
        assert_eq!(failed, 0, "any k rows of a Cauchy matrix can be inverted");
        self.code(k, &mut inverse[..PARITIES * k])
    }

    /// k rows of a unit matrix, and two for the parities.
    fn generator(&self, k: usize) -> Vec<u8> {
        let mut rows = vec![0; (k + PARITIES) * k];
        // SAFETY: it has that number of rows of k bytes.
        unsafe { (self.matrix)(rows.as_mut_ptr(), whole(k + PARITIES), whole(k)) };
        rows
    }

    fn code(&self, k: usize, rows: &mut [u8]) -> Code<'_> {
        assert_eq!(rows.len(), PARITIES * k);
        let mut tables = vec![0; TABLE * rows.len()];
        // SAFETY: two rows of k coefficients, and a table for each of them.
        unsafe { (self.init)(whole(k), whole(PARITIES), rows.as_mut_ptr(), tables.as_mut_ptr()) };
        Code { isal: self, k, tables }
    }
}

impl Code<'_> {
    pub fn make(&mut self, from: &[Vec<u8>], to: &mut [Vec<u8>]) {
        let block = to[0].len();
        assert!(from.len() == self.k && from.iter().all(|of| of.len() == block));
        assert!(to.len() == PARITIES && to.iter().all(|of| of.len() == block));
        // The C signature declares the sources as writable.
        let mut from: Vec<*mut u8> = from.iter().map(|of| of.as_ptr().cast_mut()).collect();
        let mut to: Vec<*mut u8> = to.iter_mut().map(|of| of.as_mut_ptr()).collect();
        // SAFETY: k blocks are read, two are written, all of this length.
        unsafe {
            (self.isal.encode)(
                whole(block),
                whole(self.k),
                whole(PARITIES),
                self.tables.as_mut_ptr(),
                from.as_mut_ptr(),
                to.as_mut_ptr(),
            )
        }
    }
}

fn whole(of: usize) -> c_int {
    c_int::try_from(of).expect("a small number")
}
