//! How much of a hand somebody has looked at, beside the puck: what decides whether two hands are
//! the same to them.

use crate::hand::Hand;

/// The trackers looked at, and whether what else betting windows remember was: the totals since the
/// last seven, and whether the hand has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sight {
    trackers: u32,
    seen: bool,
}

impl Sight {
    /// The puck alone.
    pub(crate) const NOTHING: Sight = Sight { trackers: 0, seen: false };
    /// The whole hand.
    pub(crate) const ALL: Sight = Sight { trackers: u32::MAX, seen: true };
    /// What betting windows remember beside the trackers.
    pub(crate) const MEMORY: Sight = Sight { trackers: 0, seen: true };

    /// One tracker.
    pub(crate) fn tracker(place: usize) -> Sight {
        Sight { trackers: 1 << place, seen: false }
    }

    /// Both of them.
    #[must_use]
    pub(crate) fn and(self, other: Sight) -> Sight {
        Sight { trackers: self.trackers | other.trackers, seen: self.seen || other.seen }
    }

    /// The trackers looked at, by their places.
    #[inline]
    pub(crate) fn trackers(self) -> impl Iterator<Item = usize> {
        let mut left = self.trackers;
        std::iter::from_fn(move || {
            let place = left.trailing_zeros();
            left &= left.checked_sub(1)?;
            Some(place as usize)
        })
    }

    /// Whether what betting windows remember was looked at.
    #[inline]
    pub(crate) fn sees_memory(self) -> bool {
        self.seen
    }

    /// Whether two hands look the same.
    #[inline]
    pub(crate) fn same(self, one: &Hand, other: &Hand) -> bool {
        one.puck == other.puck
            && (!self.seen || (one.seen == other.seen && one.begun == other.begun))
            && self.trackers().all(|place| one.trackers[place] == other.trackers[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hand::Begun;

    #[test]
    fn two_hands_are_the_same_to_whoever_does_not_look() {
        let one = Hand::default();
        let mut other = one;
        other.trackers[3].bets = 1;
        let both = Sight::tracker(1).and(Sight::tracker(3));
        assert!(Sight::NOTHING.same(&one, &other));
        assert!(Sight::tracker(1).same(&one, &other));
        assert!(!both.same(&one, &other));
        assert!(Sight::MEMORY.same(&one, &other));
        other.begun = Begun::Yes;
        assert!(!Sight::MEMORY.same(&one, &other));
        assert_eq!(both.trackers().collect::<Vec<_>>(), [1, 3]);
        assert_eq!(Sight::tracker(Hand::TRACKERS - 1).trackers().collect::<Vec<_>>(), [31]);
    }
}
