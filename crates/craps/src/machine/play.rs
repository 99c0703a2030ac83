//! A plan stepped roll by roll with real money, asked anew after each: what `plan play` shows, and
//! what the machine is held against.

use super::End;
use std::rc::Rc;
use std::sync::Arc;

use super::ask::Position;
use super::desk::Asked;
use super::player::Player;
use super::throw::{Table, jackpot, land};
use crate::dice::Roll;
use crate::money::Cents;
use crate::rules::Rules;
use crate::settle::Settlement;
use crate::spot::Spot;

/// A plan being played.
pub struct Play<'a, P: Player> {
    rules: &'a Arc<Rules>,
    player: &'a P,
    meters: &'a [Cents],
    equity: Cents,
    now: Result<Position<P::Memory>, End>,
    settlement: Settlement,
}

/// What a roll did, and what the plan asked for after it.
pub struct Turn {
    /// By how much the money changed.
    pub change: Cents,
    /// Whether the shooter sevened out.
    pub seven_out: bool,
    /// What the plan asked for, and what became of it.
    pub asked: Vec<Asked>,
}

impl<'a, P: Player> Play<'a, P> {
    /// Sits down with so much, and asks before the first roll.
    pub fn start(
        rules: &'a Arc<Rules>,
        player: &'a P,
        meters: &'a [Cents],
        bankroll: Cents,
    ) -> Result<(Play<'a, P>, Vec<Asked>), P::Fault> {
        let table = Table::default();
        let now = Position { table, memory: player.memory(), leaving: false };
        let turn = now.turn(rules, player, &Rc::default(), bankroll.0)?;
        let settlement = Settlement::default();
        let now = turn.then;
        let play = Play { rules, player, meters, equity: bankroll, now, settlement };
        Ok((play, turn.asked))
    }

    /// The rack and everything up.
    pub fn equity(&self) -> Cents {
        self.equity
    }

    /// Where it is, or why it has ended.
    pub fn now(&self) -> Result<&Position<P::Memory>, End> {
        self.now.as_ref().map_err(|end| *end)
    }

    /// What the last roll won and lost, bet by bet.
    pub fn settlement(&self) -> &Settlement {
        &self.settlement
    }

    /// What the meters paid on the last roll to the bet that stood there.
    pub fn jackpot(&self, spot: Spot) -> Cents {
        jackpot(self.rules, self.meters, &self.settlement, spot)
    }

    /// Throws the dice; nothing once it has ended. Where the plan is at fault it is left where the
    /// roll left it, before it was asked.
    pub fn roll(&mut self, roll: Roll) -> Result<Option<Turn>, P::Fault> {
        let Ok(position) = &self.now else { return Ok(None) };
        let landed = land(self.rules, self.meters, &position.table, roll, &mut self.settlement);
        self.equity += landed.change;
        let (memory, leaving) = (position.memory.clone(), position.leaving);
        let settled = Position { table: landed.table, memory, leaving };
        let last = Rc::new(landed.last);
        let turn = match settled.turn(self.rules, self.player, &last, self.equity.0) {
            Ok(turn) => turn,
            Err(fault) => {
                self.now = Ok(settled);
                return Err(fault);
            }
        };
        self.now = turn.then;
        let (change, seven_out) = (landed.change, landed.seven_out);
        Ok(Some(Turn { change, seven_out, asked: turn.asked }))
    }
}
