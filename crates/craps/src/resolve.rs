//! What a called roll does to one seat's bets.

use crate::felt::Fate;
use crate::{Bet, Called, Layout, Rules};

/// The fate of every bet of a layout, in the order of the felt.
///
/// ```
/// use craps::{Bet, Call, Cents, Fate, Hand, Layout, Library, Rules, call, resolve};
/// let rules = Rules::named(&Library::embedded(), &["presque-isle"]).unwrap();
/// let spot = rules.spot("field").unwrap();
/// let mut layout = Layout::default();
/// layout.set(Bet { spot, call: Call::House, stake: Cents::dollars(5), vig: Cents::ZERO });
/// let called = call(&rules, &Hand::default(), "3-4".parse().unwrap());
/// let fates: Vec<_> = resolve(&rules, &called, &layout).collect();
/// assert_eq!(fates[0].1, Fate::Lose);
/// ```
pub fn resolve<'a>(
    rules: &'a Rules,
    called: &'a Called,
    layout: &'a Layout,
) -> impl Iterator<Item = (Bet, Fate)> + 'a {
    let column = rules.felt.column(called.puck, called.roll.combination());
    layout.bets().iter().map(move |bet| {
        let fate = match rules.felt.tracker(bet.spot) {
            Some(tracker) => called.fates[tracker],
            None => rules.felt.fate(column, bet.call, bet.spot),
        };
        (*bet, fate)
    })
}
