//! Random campaigns: changes without effect, and with one real effect.
use analysis::advice::{Effect, Size, TriedChange, advise};

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Mean 0, deviation 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    /// A variant with noise common to all variants of a seed, and independent noise.
    fn row(&mut self, fates: &[f64], mean: f64, own: f64) -> Vec<f64> {
        fates.iter().map(|fate| mean + fate + own * self.normal()).collect()
    }
}

fn tried(needs: Vec<f64>, keys: usize) -> TriedChange {
    let size = Size { keys, far: 1.0, ..Size::default() };
    TriedChange { needs: Some(needs), allowed: true, size }
}

#[test]
fn of_noise_alone_hardly_ever_anything_is_advised() {
    let (mut dice, mut advised) = (Dice(1), 0);
    const CAMPAIGNS: usize = 2_000;
    for campaign in 0..CAMPAIGNS {
        let (seeds, rows) = (2 + campaign % 6, 1 + campaign % 11);
        let fates: Vec<f64> = (0..seeds).map(|_| 20.0 * dice.normal()).collect();
        let now = dice.row(&fates, 100.0, 15.0);
        let rows: Vec<TriedChange> =
            (0..rows).map(|_| tried(dice.row(&fates, 100.0, 15.0), 1)).collect();
        advised += usize::from(advise(&now, &rows).follow.is_some())
    }
    // One side of 95 % for any number of variants; eleven independent tests would give 24 %.
    assert!(advised <= CAMPAIGNS * 3 / 100, "{advised} of {CAMPAIGNS}");
}

#[test]
fn one_true_effect_is_followed() {
    let mut dice = Dice(2);
    for campaign in 0..500 {
        let (seeds, rows) = (5 + campaign % 6, 2 + campaign % 7);
        let fates: Vec<f64> = (0..seeds).map(|_| 30.0 * dice.normal()).collect();
        let now = dice.row(&fates, 200.0, 2.0);
        let real = campaign % rows;
        let mean = |at| if at == real { 160.0 } else { 200.0 };
        let all: Vec<TriedChange> =
            (0..rows).map(|at| tried(dice.row(&fates, mean(at), 2.0), 1)).collect();
        let advice = advise(&now, &all);
        assert_eq!(advice.follow, Some(real), "campaign {campaign}: {:?}", advice.fates);
        assert!(advice.ties.iter().all(|tie| !tie));
    }
}

#[test]
fn what_cannot_be_told_from_the_best_goes_to_the_smallest_change() {
    let mut dice = Dice(3);
    for _ in 0..200 {
        let fates: Vec<f64> = (0..7).map(|_| 30.0 * dice.normal()).collect();
        let now = dice.row(&fates, 100.0, 1.0);
        // A knee: the second of four has almost the whole gain; the last is best by a little.
        let all: Vec<TriedChange> = [(1.5, 80.0), (2.0, 60.0), (4.0, 59.5), (8.0, 59.0)]
            .map(|(far, mean)| {
                let size = Size { keys: 1, far, ..Size::default() };
                TriedChange { needs: Some(dice.row(&fates, mean, 0.3)), allowed: true, size }
            })
            .into();
        let advice = advise(&now, &all);
        assert_eq!(advice.follow, Some(1));
        assert_eq!(advice.ties, [false, false, true, true]);
    }
}

#[test]
fn of_changes_alike_the_one_without_a_price_is_followed() {
    let now = [100.0, 110.0, 90.0];
    let needs = |less: f64| now.map(|value| value - less).to_vec();
    let with = |less: f64, harms| TriedChange {
        needs: Some(needs(less)),
        allowed: true,
        size: Size { harms, keys: 1, far: 1.0, pieces: 0.0 },
    };
    assert_eq!(advise(&now, &[with(41.0, 2), with(40.0, 0)]).follow, Some(1));
    assert_eq!(advise(&now, &[with(60.0, 2), with(40.0, 0)]).follow, Some(0), "worth its price");
}

/// Twice as many servers gain twice as much. The smallest number is followed, for any number of
/// tries; a setting with half the gain has priority.
#[test]
fn of_what_is_bought_the_fewest_pieces_are_followed() {
    let now = [1_000.0, 1_010.0, 990.0];
    let with = |less: f64, pieces: f64| TriedChange {
        needs: Some(now.map(|value| value - less).to_vec()),
        allowed: true,
        size: Size { keys: 1, far: 1.0 + pieces, pieces, ..Size::default() },
    };
    let ladder = [with(100.0, 2.0), with(290.0, 6.0), with(560.0, 12.0)];
    assert_eq!(advise(&now, &ladder).follow, Some(0));
    assert_eq!(advise(&now, &ladder[..1]).follow, Some(0));
    let steps = [with(60.0, 2.0), with(560.0, 12.0)];
    assert_eq!(advise(&now, &steps).follow, Some(1), "two bring little each");
    let setting = [with(100.0, 2.0), with(290.0, 6.0), with(55.0, 0.0)];
    assert_eq!(advise(&now, &setting).follow, Some(2));
}

#[test]
fn what_is_not_allowed_or_not_known_is_not_followed() {
    let now = [100.0, 110.0, 90.0];
    let half = || now.map(|value| value / 2.0).to_vec();
    let forbidden = TriedChange { allowed: false, ..tried(half(), 1) };
    let advice = advise(&now, std::slice::from_ref(&forbidden));
    assert_eq!((advice.follow, advice.fates), (None, vec![Effect::Gains]));
    let unknown = TriedChange { needs: None, ..tried(half(), 1) };
    assert_eq!(advise(&now, &[unknown]).fates, [Effect::Unknown]);
    let one_seed = advise(&[100.0], &[tried(vec![50.0], 1)]);
    assert_eq!((one_seed.follow, one_seed.fates), (None, vec![Effect::Unknown]));
    let small = advise(&now, &[tried(now.map(|value| value - 4.0).to_vec(), 1)]);
    assert_eq!(small.fates, [Effect::Same], "under 5 %, however sure");
    let wide = advise(&now, &[tried(vec![98.0, 115.0, 88.0], 1)]);
    assert_eq!(wide.fates, [Effect::Undecided], "0.3 ± 10 may be 5 % or more");
    let edge = advise(&now, &[tried(vec![96.0, 105.5, 85.5], 1)]);
    assert_eq!(edge.fates, [Effect::Undecided], "4.3 ± 0.7 reaches beyond 5 %");
    let worse = advise(&now, &[tried(now.map(|value| 2.0 * value).to_vec(), 1)]);
    assert_eq!(worse.fates, [Effect::Loses]);
    assert_eq!(advise(&now, &[]), Default::default(), "nothing was tried");
}
