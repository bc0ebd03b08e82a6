//! The rule that turns places and draws into a verdict, for all claims.
use super::{Band, Count};
use serde::Serialize;

/// What our runs show for a claim, and in which share of places or draws.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Verdict {
    #[serde(rename = "verdict")]
    pub word: VerdictKind,
    /// `None` if nothing was counted.
    pub share: Option<Share>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// Holds in every place where the paper makes the statement, and could have failed.
    Reproduced,
    /// Holds in at least half of the places, or a tenth of the draws.
    Partly,
    Refuted,
    /// The intervals are too wide.
    Undecided,
    /// Holds in any run because of the structure of the model or the layout: runs are no evidence.
    ByConstruction,
    /// Holds only with assumed values, or was rewritten or selected so that it holds.
    WithTheseAssumptions,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Share {
    pub holds: usize,
    /// The rest is not decided.
    pub fails: usize,
    pub of: usize,
    pub what: ShareKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ShareKind {
    /// Places where the paper makes the statement, and parts of the statement.
    Places,
    /// Random values for what the paper leaves open.
    Draws,
}

impl VerdictKind {
    /// In the order of pages.
    pub const ALL: [VerdictKind; 6] = [
        VerdictKind::Reproduced,
        VerdictKind::WithTheseAssumptions,
        VerdictKind::ByConstruction,
        VerdictKind::Partly,
        VerdictKind::Refuted,
        VerdictKind::Undecided,
    ];

    pub fn text(self) -> &'static str {
        match self {
            VerdictKind::Reproduced => "reproduced",
            VerdictKind::Partly => "partly",
            VerdictKind::Refuted => "refuted",
            VerdictKind::Undecided => "not decided",
            VerdictKind::ByConstruction => "by construction",
            VerdictKind::WithTheseAssumptions => "with these assumptions",
        }
    }
}

impl Share {
    fn of_places(places: &[Option<bool>]) -> Share {
        let count = |fate| places.iter().filter(|place| **place == fate).count();
        let (holds, fails) = (count(Some(true)), count(Some(false)));
        Share { holds, fails, of: places.len(), what: ShareKind::Places }
    }

    /// The word that holds for any outcome of the undecided places; else `Undecided`.
    fn word(self) -> VerdictKind {
        let most = self.of - self.fails;
        match () {
            () if self.of == 0 => VerdictKind::Undecided,
            () if self.holds == self.of => VerdictKind::Reproduced,
            () if self.fails > 0 && 2 * self.holds >= self.of => VerdictKind::Partly,
            () if 2 * most < self.of => VerdictKind::Refuted,
            () => VerdictKind::Undecided,
        }
    }

    fn text(self) -> String {
        let Share { holds, fails, of, what } = self;
        let what = match what {
            ShareKind::Places => "places",
            ShareKind::Draws => "draws",
        };
        let open = of - holds - fails;
        match open {
            0 => format!("{holds} of {of} {what}"),
            _ => format!("{holds} of {of} {what}, {open} open"),
        }
    }
}

impl Verdict {
    /// For a statement in several places or parts; `None`: that one is not decided. All hold:
    /// reproduced. Some fail, at least half hold: partly. Fewer hold: refuted. If undecided places
    /// could change the result: not decided.
    pub fn of(places: impl IntoIterator<Item = Option<bool>>) -> Verdict {
        let places: Vec<Option<bool>> = places.into_iter().collect();
        let share = Share::of_places(&places);
        Verdict { word: share.word(), share: Some(share) }
    }

    /// For a yes or no over draws of what the paper leaves open. Partly needs a tenth of them, by
    /// the whole interval of the count; fewer refute it.
    pub fn drawn(draws: Count) -> Verdict {
        let Count { holds, of } = draws;
        let word = match Band::above(0.1).counts(draws) {
            Some(true) if holds == of && draws.mostly() == Some(true) => VerdictKind::Reproduced,
            Some(true) => VerdictKind::Partly,
            Some(false) => VerdictKind::Refuted,
            None => VerdictKind::Undecided,
        };
        Verdict {
            word,
            share: Some(Share { holds, fails: of - holds, of, what: ShareKind::Draws }),
        }
    }

    /// Combines the verdict for one set of values with draws of what the paper leaves open. What
    /// the draws support counts. What holds only in the one set holds with these assumptions.
    pub fn and_drawn(self, draws: Count) -> Verdict {
        let drawn = Verdict::drawn(draws);
        let word = match (self.word, drawn.word) {
            (_, word @ (VerdictKind::Reproduced | VerdictKind::Partly)) => word,
            (VerdictKind::Reproduced, _) => VerdictKind::WithTheseAssumptions,
            (word, _) => word,
        };
        match word {
            VerdictKind::Partly if drawn.word != VerdictKind::Partly => self,
            _ => Verdict { word, share: drawn.share },
        }
    }

    /// For a statement that no run could break. If it fails nevertheless, the verdict stays.
    #[must_use]
    pub fn by_construction(self) -> Verdict {
        self.replaced_if(&[VerdictKind::Reproduced], VerdictKind::ByConstruction)
    }

    /// For a statement that holds only with assumed values, or was rewritten or selected so that it
    /// holds. If it does not hold everywhere nevertheless, the verdict stays.
    #[must_use]
    pub fn with_these_assumptions(self) -> Verdict {
        self.replaced_if(&[VerdictKind::Reproduced], VerdictKind::WithTheseAssumptions)
    }

    /// Adds the places of the same statement with other values that the paper's text states.
    #[must_use]
    pub fn with_stated(self, stated: impl IntoIterator<Item = Verdict>) -> Verdict {
        let places = |verdict: Verdict| verdict.share.filter(|s| s.what == ShareKind::Places);
        let Some(own) = places(self) else { return self };
        let sum = |a: Share, b: Share| Share {
            holds: a.holds + b.holds,
            fails: a.fails + b.fails,
            of: a.of + b.of,
            what: ShareKind::Places,
        };
        let all = stated.into_iter().filter_map(places).fold(own, sum);
        let word = match all.word() {
            // Words of their own stand for a claim that holds in all places.
            VerdictKind::Reproduced => self.word,
            word => word,
        };
        match all == own {
            true => self,
            false => Verdict { word, share: Some(all) },
        }
    }

    /// For a statement about a measurement that is not valid.
    pub fn undecided() -> Verdict {
        Verdict { word: VerdictKind::Undecided, share: None }
    }

    fn replaced_if(self, of: &[VerdictKind], word: VerdictKind) -> Verdict {
        let word = if of.contains(&self.word) { word } else { self.word };
        Verdict { word, ..self }
    }

    /// "partly (3 of 5 places)"; without the share if it is all or none.
    pub fn label(self) -> String {
        match self.part() {
            Some(part) => format!("{} ({part})", self.word.text()),
            None => self.word.text().into(),
        }
    }

    /// For use in brackets: "partly: 3 of 5 places".
    pub fn short_label(self) -> String {
        match self.part() {
            Some(part) => format!("{}: {part}", self.word.text()),
            None => self.word.text().into(),
        }
    }

    /// The share, unless it is all or none.
    fn part(self) -> Option<String> {
        let whole = |s: &Share| s.holds == s.of || s.fails == s.of;
        self.share.filter(|share| !whole(share) && share.of > 1).map(Share::text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partly_needs_half_of_the_places_and_an_open_one_may_decide() {
        use VerdictKind::*;
        let table = [
            (&[Some(true), Some(true)][..], Reproduced),
            (&[Some(true), Some(false)], Partly),
            (&[Some(true), Some(false), Some(false)], Refuted),
            (&[Some(false)], Refuted),
            (&[Some(true), None], Undecided),
            (&[Some(false), None], Undecided),
            (&[Some(true), Some(true), Some(false), None], Partly),
            (&[Some(true), Some(false), None], Undecided),
            (&[Some(true), Some(false), Some(false), Some(false), None], Refuted),
            (&[None], Undecided),
            (&[], Undecided),
        ];
        for (places, word) in table {
            assert_eq!(Verdict::of(places.iter().copied()).word, word, "{places:?}");
        }
    }

    /// All outcomes of the undecided places, for up to six places.
    #[test]
    fn a_verdict_is_given_only_if_nothing_else_is_possible() {
        for of in 1..=6 {
            for holds in 0..=of {
                for fails in 0..=of - holds {
                    let share = |holds, fails| Share { holds, fails, of, what: ShareKind::Places };
                    let open = of - holds - fails;
                    let filled = |more| share(holds + more, of - holds - more).word();
                    let first = filled(0);
                    let one = (0..=open).all(|more| filled(more) == first);
                    let expected = if one { first } else { VerdictKind::Undecided };
                    assert_eq!(share(holds, fails).word(), expected, "{holds} {fails} {of}");
                }
            }
        }
    }

    #[test]
    fn one_hit_of_sixty_draws_is_no_partly() {
        let word = |holds, of| Verdict::drawn(Count { holds, of }).word;
        assert_eq!(word(1, 60), VerdictKind::Refuted);
        assert_eq!(word(6, 60), VerdictKind::Undecided, "a tenth, give or take a twentieth");
        assert_eq!(word(15, 60), VerdictKind::Partly);
        assert_eq!(word(60, 60), VerdictKind::Reproduced);
        assert_eq!(word(1, 1), VerdictKind::Partly, "one draw reproduces nothing");
        assert_eq!(word(0, 0), VerdictKind::Undecided);
    }

    #[test]
    fn draws_weigh_more_than_the_one_set() {
        let set = |places: &[bool]| Verdict::of(places.iter().map(|holds| Some(*holds)));
        let with = |places: &[bool], holds| set(places).and_drawn(Count { holds, of: 60 }).word;
        assert_eq!(with(&[true], 0), VerdictKind::WithTheseAssumptions);
        assert_eq!(with(&[true], 30), VerdictKind::Partly);
        assert_eq!(with(&[false], 1), VerdictKind::Refuted);
        assert_eq!(with(&[false], 30), VerdictKind::Partly);
        assert_eq!(with(&[true, false], 60), VerdictKind::Reproduced);
        let places = set(&[true, false]).and_drawn(Count { holds: 1, of: 60 });
        assert_eq!(places.label(), "partly (1 of 2 places)");
        assert_eq!(set(&[false]).and_drawn(Count { holds: 1, of: 60 }).label(), {
            "refuted (1 of 60 draws)"
        });
    }

    #[test]
    fn what_is_true_anyway_and_what_was_assumed_have_words_of_their_own() {
        let yes = Verdict::of([Some(true)]);
        let no = Verdict::of([Some(false)]);
        assert_eq!(yes.by_construction().label(), "by construction");
        assert_eq!(no.by_construction().word, VerdictKind::Refuted);
        assert_eq!(yes.with_these_assumptions().label(), "with these assumptions");
        assert_eq!(no.with_these_assumptions().word, VerdictKind::Refuted);
        assert_eq!(yes.with_stated([]).word, VerdictKind::Reproduced);
        assert_eq!(yes.with_stated([no]).label(), "partly (1 of 2 places)");
        assert_eq!(yes.with_stated([no, no]).label(), "refuted (1 of 3 places)");
        let assumed = yes.with_these_assumptions();
        assert_eq!(assumed.with_stated([yes]).word, VerdictKind::WithTheseAssumptions);
        let json = |verdict: Verdict| serde_json::to_value(verdict).unwrap()["verdict"].clone();
        assert_eq!(json(yes.by_construction()), "by-construction");
        assert_eq!(json(yes.with_these_assumptions()), "with-these-assumptions");
        assert_eq!(json(Verdict::of([None])), "undecided");
    }

    #[test]
    fn a_share_is_said_where_it_says_something() {
        let said = |places: &[Option<bool>]| Verdict::of(places.iter().copied()).label();
        assert_eq!(said(&[Some(true), Some(true)]), "reproduced");
        assert_eq!(said(&[Some(true), Some(false)]), "partly (1 of 2 places)");
        assert_eq!(said(&[Some(true), None]), "not decided (1 of 2 places, 1 open)");
        assert_eq!(said(&[Some(false), Some(false)]), "refuted");
        let noted = |places: &[Option<bool>]| Verdict::of(places.iter().copied()).short_label();
        assert_eq!(noted(&[Some(true), Some(false)]), "partly: 1 of 2 places");
        assert_eq!(noted(&[Some(true), None]), "not decided: 1 of 2 places, 1 open");
        assert_eq!(noted(&[Some(false)]), "refuted");
    }
}
