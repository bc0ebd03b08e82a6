//! A cursor over one line.
use import::{Issue, issue, quote};

#[derive(Clone, Copy)]
pub(super) struct Scan<'a> {
    pub(super) rest: &'a [u8],
}

impl<'a> Scan<'a> {
    pub(super) fn new(rest: &'a [u8]) -> Scan<'a> {
        Scan { rest }
    }
    #[inline]
    pub(super) fn eat(&mut self, text: &[u8]) -> bool {
        let found = self.rest.strip_prefix(text);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }
    #[inline]
    pub(super) fn need(&mut self, text: &'static str) -> Result<(), Issue> {
        if self.eat(text.as_bytes()) { Ok(()) } else { Err(self.without(text)) }
    }
    #[cold]
    fn without(&self, text: &str) -> Issue {
        let words = if text == " " { "a blank".into() } else { format!("`{text}`") };
        let cut = text.as_bytes().starts_with(self.rest);
        Issue { cut, ..self.expected(words) }
    }
    /// The error for a line without the end of `what`.
    #[cold]
    pub(super) fn endless(&self, what: &str) -> Issue {
        Issue { cut: true, ..self.expected(what.into()) }
    }
    /// Consumes up to and including the first `stop`; returns the text before it.
    #[inline]
    pub(super) fn until(&mut self, stop: u8) -> Option<&'a [u8]> {
        let at = memchr::memchr(stop, self.rest)?;
        let taken = &self.rest[..at];
        self.rest = &self.rest[at + 1..];
        Some(taken)
    }
    #[inline]
    pub(super) fn number(&mut self, what: &'static str) -> Result<u64, Issue> {
        let (mut value, mut digits) = (0u64, 0);
        while let Some(digit) = self.rest.get(digits).filter(|b| b.is_ascii_digit()) {
            let next = value.checked_mul(10).and_then(|v| v.checked_add(u64::from(digit - b'0')));
            value = next.ok_or_else(|| self.expected(format!("{what} below 2^64")))?;
            digits += 1;
        }
        if digits == 0 {
            let negative = self.rest.first() == Some(&b'-');
            let sign = if negative { " that is not negative" } else { "" };
            return Err(self.expected(format!("{what}{sign}")));
        }
        self.rest = &self.rest[digits..];
        Ok(value)
    }
    /// Negative ids are erasure-coded groups.
    #[inline]
    pub(super) fn block_id(&mut self) -> Result<i64, Issue> {
        let (negative, before) = (self.eat(b"-"), *self);
        let value = self.number("a block id")?;
        let id =
            if negative { 0i64.checked_sub_unsigned(value) } else { i64::try_from(value).ok() };
        id.ok_or_else(|| before.expected("a block id of 64 bits".into()))
    }
    /// The error for another text than `what`.
    #[cold]
    pub(super) fn expected(&self, what: String) -> Issue {
        let found = if self.rest.is_empty() { "the line ends".into() } else { quote(self.rest) };
        Issue { cut: self.rest.is_empty(), ..issue(found, what) }
    }
}
