//! The natural logarithm from a table and a short polynomial: the same bits on every machine, and
//! twice as fast as a library's, because the last bit may be wrong.

/// Intervals of the significand.
const PARTS: usize = 128;
const LN2: f64 = std::f64::consts::LN_2;

/// Inverse and logarithm of the middle of each interval of [1, 2).
static TABLE: [(f64, f64); PARTS] = table();

const fn table() -> [(f64, f64); PARTS] {
    let (mut all, mut i) = ([(0.0, 0.0); PARTS], 0);
    while i < PARTS {
        let middle = 1.0 + (i as f64 + 0.5) / PARTS as f64;
        let inverse = 1.0 / middle;
        // The logarithm of the rounded inverse, so that its rounding does no harm.
        all[i] = (inverse, -ln_by_series(inverse));
        i += 1
    }
    all
}

/// ln x = 2·artanh((x − 1) / (x + 1)). For x in [0.5, 1] thirty terms are enough for all bits.
const fn ln_by_series(x: f64) -> f64 {
    let y = (x - 1.0) / (x + 1.0);
    let (mut sum, mut n) = (0.0, 30);
    while n > 0 {
        n -= 1;
        sum = sum * y * y + 1.0 / (2 * n + 1) as f64
    }
    2.0 * y * sum
}

/// Logarithm of a normal, positive, finite number. Its absolute or its relative error, whichever is
/// larger, is below 5·10⁻¹⁶. Undefined for other numbers.
#[inline(always)]
pub(crate) fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = (bits >> 52) as i64 - 1023;
    let (inverse, ln) = TABLE[(bits >> 45) as usize % PARTS];
    let significand = f64::from_bits(bits & ((1 << 52) - 1) | 1.0f64.to_bits());
    // At most 1/256, so that the seventh power is less than the last bit.
    let r = significand * inverse - 1.0;
    let r2 = r * r;
    let (odd, even) = (1.0 / 3.0 + r2 * (1.0 / 5.0), 0.5 + r2 * (1.0 / 4.0 + r2 * (1.0 / 6.0)));
    (exponent as f64 * LN2 + ln) + (r + r2 * (r * odd - even))
}
