//! Chips as the hands of a crew move them: by what people bet and buy, and by what work lists
//! say. They have to end where the ledger has them.

use serde_json::Value;

/// Where the chips of a table lie, in cents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chips {
    /// The house's chips at the table.
    pub tray: i64,
    /// What the dealers were paid: no longer the table's.
    pub dealers: i64,
    /// What the cage has paid for the table.
    pub cage: i64,
    /// On the layout, by seat.
    pub felt: [i64; 24],
    /// In the players' racks, by seat.
    pub racks: [i64; 24],
}

impl Chips {
    fn at(&mut self, place: &str, seat: &Value) -> Option<&mut i64> {
        let seat = seat.as_u64().and_then(|seat| usize::try_from(seat).ok());
        match (place, seat) {
            ("tray", _) => Some(&mut self.tray),
            ("dealers", _) => Some(&mut self.dealers),
            ("cage", _) => Some(&mut self.cage),
            ("felt", Some(seat)) => self.felt.get_mut(seat),
            ("rack", Some(seat)) => self.racks.get_mut(seat),
            _ => None,
        }
    }

    /// Does what an item of a work list says. Says what makes no sense in it.
    pub fn work(&mut self, item: &Value) -> Result<(), String> {
        for chips in item["chips"].as_array().into_iter().flatten() {
            let amount = chips["amount"].as_i64().unwrap_or(0);
            for (place, moved) in [(&chips["from"], -amount), (&chips["to"], amount)] {
                let known = self.at(place.as_str().unwrap_or_default(), &item["seat"]);
                *known.ok_or_else(|| format!("no chips lie at {place}: {item}"))? += moved;
            }
        }
        Ok(())
    }

    /// Does all that is left on a work list.
    pub fn work_off(&mut self, list: &Value) -> Result<(), String> {
        list["items"].as_array().into_iter().flatten().try_for_each(|item| self.work(item))
    }

    /// A player bets.
    pub fn bet(&mut self, seat: usize, amount: i64) {
        self.racks[seat] -= amount;
        self.felt[seat] += amount;
    }

    /// What the ledger says of a table, as its crew sees it. Chips that are no longer the table's
    /// are not in it.
    pub fn of(view: &Value) -> Chips {
        let tray = view["hand"]["tray"].as_i64().unwrap_or(0);
        let mut chips = Chips { tray, ..Chips::default() };
        for seat in view["seats"].as_array().into_iter().flatten() {
            let place = seat["seat"].as_u64().and_then(|place| usize::try_from(place).ok());
            let Some(place) = place.filter(|place| *place < chips.racks.len()) else { continue };
            chips.racks[place] = seat["rack"].as_i64().unwrap_or(0);
            let bets = seat["bets"].as_array().into_iter().flatten();
            let lies =
                |bet: &Value| bet["stake"].as_i64().unwrap_or(0) + bet["vig"].as_i64().unwrap_or(0);
            chips.felt[place] = bets.map(lies).sum();
        }
        chips
    }

    /// What lies elsewhere than the ledger of a table has it; nothing if all is right.
    pub fn differs(&self, view: &Value) -> Option<String> {
        let ledger = Chips { dealers: self.dealers, cage: self.cage, ..Chips::of(view) };
        let hands = format!("{self:?}");
        (*self != ledger).then(|| format!("the hands have {hands}, the ledger {ledger:?}"))
    }
}
