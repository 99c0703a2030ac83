//! Rules: rulebooks compiled for a table. Immutable, shared by every seat, hashed.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::commission::Measure;
use crate::dice::{Roll, Total, Totals};
use crate::fate::Felt;
use crate::money::{Cents, Multiple};
use crate::rulebook::{Fault, Rulebook};
use crate::spot::{Award, AwardId, Spot, SpotRule, WagerId};
use crate::terms::MeterTerms;
use crate::tracker::TrackerRule;
use crate::wager::{Cap, CapPer, Due, PaysKey, Shape, Wager};
use serde::Serialize;

/// A meter of some [`Rules`], by its place in [`Rules::meters`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct MeterPlace(pub(crate) u8);

impl MeterPlace {
    /// The meter with this place in [`Rules::meters`].
    pub const fn at(place: u8) -> MeterPlace {
        MeterPlace(place)
    }

    /// The place of this meter in [`Rules::meters`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A progressive meter the rules call for.
#[derive(Clone, Debug)]
pub struct MeterRule {
    /// The paytable it belongs to, which is its name.
    pub name: String,
    /// The wager that feeds it.
    pub wager: WagerId,
    /// How it is funded and paid.
    pub terms: MeterTerms,
}

/// A rulebook put on a table, with the paytables chosen from it.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The rulebook.
    pub rulebook: Rulebook,
    /// The paytables on offer; the rulebook's own choice where nothing was said.
    pub paytables: Option<Vec<String>>,
}

/// Everything a table plays by.
///
/// ```
/// use craps::{Library, Rules};
/// let rules = Rules::named(&Library::embedded(), &["presque-isle"]).unwrap();
/// let place_six = rules.spot("place 6").unwrap();
/// assert_eq!(rules.wager_at(place_six).title, "Place");
/// ```
#[derive(Clone)]
pub struct Rules {
    /// The rulebooks and paytables, as `--rules` would name them.
    pub name: String,
    /// The rulebooks by name, with the SHA-256 of the text each was read from.
    pub rulebooks: Vec<(String, [u8; 32])>,
    /// SHA-256 over the texts, paytables and options, so that a roll can record what it was
    /// paid under.
    pub hash: [u8; 32],
    /// The numbers the puck can rest on.
    pub points: Totals,
    /// Winnings are rounded down to a multiple of this.
    pub payout_unit: Cents,
    /// The most the capped wagers may win together.
    pub cap: Option<Cap>,
    /// What is odd about them, though it may be played.
    pub warnings: Vec<Fault>,
    /// Whether some betting window asks which totals came since the last seven.
    pub(crate) remembers: bool,
    /// Whether some betting window asks whether the hand has begun.
    pub(crate) counts_hands: bool,
    pub(crate) wagers: Vec<Wager>,
    pub(crate) spots: Vec<SpotRule>,
    pub(crate) awards: Vec<Award>,
    pub(crate) meters: Vec<MeterRule>,
    pub(crate) trackers: Vec<TrackerRule>,
    pub(crate) felt: Felt,
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rules").field(&self.name).finish()
    }
}

impl Rules {
    /// The same rules paying to the cent and without a cap: what ratios are made of. They are
    /// other rules, and have another hash.
    #[must_use]
    pub fn unrounded(&self) -> Rules {
        let mut rules = self.clone();
        rules.hash =
            Sha256::new().chain_update(self.hash).chain_update("unrounded").finalize().into();
        rules.payout_unit = Cents(1);
        rules.cap = None;
        rules.wagers.iter_mut().for_each(|wager| wager.shared.cap = None);
        rules
    }

    /// Every wager on offer, in the order of the rulebooks.
    pub fn wagers(&self) -> &[Wager] {
        &self.wagers
    }

    /// A wager.
    pub fn wager(&self, id: WagerId) -> &Wager {
        &self.wagers[usize::from(id.0)]
    }

    /// The wager of this name.
    pub fn wager_named(&self, name: &str) -> Option<WagerId> {
        let place = self.wagers.iter().position(|wager| wager.name == name)?;
        Some(WagerId(place as u8))
    }

    /// The wager a spot belongs to.
    #[inline]
    pub fn wager_at(&self, spot: Spot) -> &Wager {
        self.wager(self.spot_rule(spot).wager)
    }

    /// Every spot of the felt, in order.
    pub fn spots(&self) -> impl Iterator<Item = Spot> + Clone + use<> {
        (0..self.spots.len() as u8).map(Spot)
    }

    /// What there is to know of a spot.
    #[inline]
    pub fn spot_rule(&self, spot: Spot) -> &SpotRule {
        &self.spots[spot.index()]
    }

    /// The spot written as `notation`; faces are said in either order.
    pub fn spot(&self, notation: &str) -> Option<Spot> {
        let written = self.spots.iter().position(|spot| spot.notation == notation);
        let turned = || {
            let (wager, faces) = notation.rsplit_once(' ')?;
            let faces = Some(faces.parse::<Roll>().ok()?.combination());
            let spot =
                |spot: &SpotRule| spot.faces == faces && self.wager(spot.wager).name == wager;
            self.spots.iter().position(spot)
        };
        Some(Spot(written.or_else(turned)? as u8))
    }

    /// The spots of one wager.
    pub fn spots_of(&self, wager: WagerId) -> impl Iterator<Item = Spot> + '_ {
        self.spots().filter(move |spot| self.spot_rule(*spot).wager == wager)
    }

    /// The commission due with a bet of `stake` on `spot`, where it is collected up front.
    pub(crate) fn vig(&self, spot: Spot, stake: Cents) -> Cents {
        let Some(commission) = &self.wager_at(spot).standing.commission else {
            return Cents::ZERO;
        };
        commission.up_front(stake, self.win_of(spot, stake))
    }

    /// What a bet of `stake` on `spot` would win; the stake itself where that depends on the roll.
    fn win_of(&self, spot: Spot, stake: Cents) -> Cents {
        match self.wager_at(spot).pays.due(self.spot_rule(spot).on()) {
            Some(Due::Pays(pays)) => pays.on(stake).0.rounded_to(self.payout_unit).0,
            _ => stake,
        }
    }

    /// Every award, in the order of the wagers.
    pub fn awards(&self) -> &[Award] {
        &self.awards
    }

    /// An award.
    #[inline]
    pub fn award(&self, id: AwardId) -> &Award {
        &self.awards[id.index()]
    }

    /// Every progressive meter.
    pub fn meters(&self) -> &[MeterRule] {
        &self.meters
    }

    /// The meter that `wager` feeds.
    pub fn meter_of(&self, wager: WagerId) -> Option<MeterPlace> {
        let place = self.meters.iter().position(|meter| meter.wager == wager)?;
        Some(MeterPlace(place as u8))
    }

    /// The tracked spots, in the order of [`Hand::trackers`](crate::Hand::trackers).
    pub fn tracked(&self) -> impl Iterator<Item = Spot> + '_ {
        self.trackers.iter().map(|tracker| tracker.spot)
    }

    /// The tracker of a spot.
    pub fn tracker_at(&self, spot: Spot) -> Option<usize> {
        self.spot_rule(spot).tracker.map(usize::from)
    }

    /// The most that may be put on odds at `spot`, standing on `number` behind a flat bet of
    /// `flat`. Nothing for other wagers.
    pub fn odds_most(&self, spot: Spot, number: Total, flat: Cents) -> Option<Cents> {
        let Shape::Odds { multiples, .. } = &self.wager_at(spot).shape else { return None };
        self.odds_stake(spot, number, flat, self.multiple_on(number, multiples)?)
    }

    /// Which of some multiples holds on `number`: outermost numbers first, 4 and 10, then 5 and 9,
    /// then 6 and 8; the last for all that follow.
    pub fn multiple_on(&self, number: Total, multiples: &[Multiple]) -> Option<Multiple> {
        let distance = |total: Total| total.number().abs_diff(7);
        let outer = |away: &u8| self.points.iter().any(|point| distance(point) == *away);
        let further = (distance(number) + 1..=5).filter(outer).count();
        multiples.get(further).or(multiples.last()).copied()
    }

    /// What a hand has won towards an aggregate cap, after a roll that won so much more of it.
    pub(crate) fn cap_used(&self, before: Cents, capped: Cents, seven_out: bool) -> Cents {
        let per_hand = self.cap.is_some_and(|cap| cap.per == CapPer::Hand);
        if per_hand && !seven_out { before + capped } else { Cents::ZERO }
    }

    /// The odds at `spot` that are `multiple` times a flat bet of `flat`, in stake or in what
    /// they would win, as the wager counts it, in whole units.
    pub fn odds_stake(
        &self,
        spot: Spot,
        number: Total,
        flat: Cents,
        multiple: Multiple,
    ) -> Option<Cents> {
        let wager = self.wager_at(spot);
        let Shape::Odds { of, .. } = &wager.shape else { return None };
        let Due::Pays(pays) = wager.pays.due(PaysKey::Number(number.number()))? else {
            return None;
        };
        let stake = match of {
            Measure::Stake => multiple.of(flat, 1, 1),
            Measure::Win => multiple.of(flat, pays.den, pays.num),
        };
        Some(stake.floor_to(wager.limits.unit))
    }
}
