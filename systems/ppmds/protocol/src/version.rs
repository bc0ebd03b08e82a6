use rewind::Scalar;

/// The request that wrote a row. No two writes of one row have the same version.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Version {
    /// A server's own requests use `u32::MAX - server`.
    pub client: u32,
    pub number: u32,
}
