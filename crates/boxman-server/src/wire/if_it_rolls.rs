//! What the next roll would do to a seat.

use craps::{Account, Cents, Fate, Refusal, Seat, Table};
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

use super::happened::{SettledView, line_view};
use super::view::MeterView;
use crate::problem::Problem;
use crate::table::{IfRolled, LiveTable};

/// What the dice would do to a seat if they fell so. Amounts are cents.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct IfRolledView {
    /// The dice that do this, in either order: `1-5` and `2-4`.
    pub dice: Vec<String>,
    /// Their total.
    pub total: u8,
    /// Whether they are a pair.
    pub hard: bool,
    /// What the stick would call.
    pub call: String,
    /// What the seat would win, commission taken out and jackpots counted at what their meters
    /// show.
    #[ts(type = "number")]
    pub won: i64,
    /// What it would lose, with the commission it was put up with.
    #[ts(type = "number")]
    pub lost: i64,
    /// What of its chips would still be on the felt.
    #[ts(type = "number")]
    pub keeps: i64,
    /// What of the winnings are jackpots.
    #[ts(type = "number")]
    pub jackpots: i64,
    /// Every bet of the seat that would not simply stand.
    pub lines: Vec<SettledView>,
}

impl IfRolledView {
    /// What every way the dice can fall would do to a seat, with meters as they are shown; those
    /// of one total that do the same are told together.
    pub fn all(
        state: &LiveTable,
        meters: &[MeterView],
        seat: Seat,
    ) -> Result<Vec<IfRolledView>, Problem> {
        state.table.player(seat).ok_or(Refusal::NotSeated)?;
        let shown = |paytable: &str| {
            let whole = meters.iter().filter(|meter| !meter.damaged);
            whole.clone().find(|meter| meter.paytable == paytable).map(|meter| meter.amount)
        };
        let mut told: Vec<IfRolledView> = Vec::new();
        for rolled in state.if_it_rolls(shown)? {
            let view = IfRolledView::of(state, seat, &rolled);
            let same = told
                .iter_mut()
                .find(|other| IfRolledView { dice: other.dice.clone(), ..view.clone() } == **other);
            match same {
                Some(other) => other.dice.extend(view.dice),
                None => told.push(view),
            }
        }
        told.sort_by_key(|view| (view.total, view.hard));
        Ok(told)
    }

    fn of(state: &LiveTable, seat: Seat, if_rolled: &IfRolled) -> IfRolledView {
        let IfRolled { rolled, jackpots, after } = if_rolled;
        let rules = state.rules();
        let lines = rolled.settlement.lines.iter().filter(|line| line.seat == seat);
        let lost = lines.clone().filter(|line| line.fate == Fate::Lose);
        let lost = lost.map(|line| line.bet.outlay()).sum::<Cents>().0;
        let lines: Vec<SettledView> = lines.map(|line| line_view(rules, line)).collect();
        let own = jackpots.iter().filter(|(winner, _)| *winner == seat);
        let jackpots = own.map(|(_, amount)| *amount).sum::<Cents>().0;
        let chips = |table: &Table| {
            (table.balance(Account::Rack(seat)) + table.balance(Account::Action(seat))).0
        };
        IfRolledView {
            dice: vec![rolled.roll.to_string()],
            total: rolled.roll.total().number(),
            hard: rolled.roll.is_hard(),
            call: craps::call::stick_call(rolled.puck, rolled.roll, rules.points),
            won: chips(after) - chips(&state.table) + jackpots + lost,
            lost,
            keeps: after.balance(Account::Action(seat)).0,
            jackpots,
            lines,
        }
    }
}
