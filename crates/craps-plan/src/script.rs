//! The words a plan is written in, on top of Rhai's own: what it sees, and what it can ask.

use std::rc::Rc;

use craps::did_you_mean::{hint, nearest};
use craps::machine::{Desk, Question};
use craps::spot::{OnOff, Spot, WagerId};
use craps::{Cents, Multiple, Refusal, Rules, Total};
use rhai::{
    Array, Dynamic, Engine, EvalAltResult, EvalContext, Expression, INT, NativeCallContext,
    Position,
};
use rust_decimal::Decimal;

use crate::amount::{cents, dollars, multiple};
use crate::seat::{SharedSeat, Steps, Value};

type Said<T> = Result<T, Box<EvalAltResult>>;
type Call<'a> = NativeCallContext<'a>;

/// Why an ask about a bet comes to nothing where there is none.
const BARE: &str = "no bet is up there";

/// Names that mean something at every table.
pub(crate) const SEEN: [&str; 10] = [
    "puck",
    "rolled",
    "hard",
    "net",
    "seven_out",
    "point_made",
    "new_shooter",
    "rack",
    "bankroll",
    "at_risk",
];

/// Every verb, and how it is written.
pub(crate) const VERBS: [(&str, &str); 18] = [
    ("want", "want(\"place 6\", 12)"),
    ("put", "put(\"place 6\", 12)"),
    ("take", "take(\"place 6\")"),
    ("press", "press(\"place 6\", 6, 60): by how much, and to no more than"),
    ("odds", "odds(), odds(2), odds(3, 4, 5) or odds(\"pass\", 2)"),
    ("on", "on(\"hard 6\")"),
    ("off", "off(\"hard 6\")"),
    ("house", "house(\"hard 6\"): as the house has it"),
    ("leave", "leave()"),
    ("up", "up(\"place 6\")"),
    ("count", "count(\"come\")"),
    ("riding", "riding(\"all-small\")"),
    ("mark", "mark(\"all-small\", 4)"),
    ("won", "won(\"place 6\")"),
    ("lost", "lost(\"pass\")"),
    ("stage", "stage([250, 500])"),
    ("shares_of_rack", "shares_of_rack(50, 100): the share, and the most that are counted"),
    ("remember", "remember losses = 0;"),
];

/// So much may a plan do each time it is asked.
const OPERATIONS: u64 = 200_000;
/// So long may its texts be.
pub(crate) const LETTERS: usize = 1_000;
/// So much may it hold in one thing: copying it is one step, however much it is.
const SIZE: usize = 200;

/// Money that is seen by comparison only.
#[derive(Clone, Copy)]
enum Money {
    Rack,
    Bankroll,
}

/// An engine that speaks of the table at `seat`, and takes no more than these steps.
pub(crate) fn engine(seat: &SharedSeat, steps: &Rc<Steps>) -> Engine {
    let mut engine = Engine::new();
    let steps = Rc::clone(steps);
    engine.on_progress(move |now| steps.taken(now).then_some(Dynamic::UNIT));
    engine
        .set_max_operations(OPERATIONS)
        .set_max_call_levels(32)
        .set_max_expr_depths(64, 32)
        .set_max_string_size(LETTERS)
        .set_max_array_size(SIZE)
        .set_max_map_size(SIZE)
        .set_max_variables(200)
        .set_max_functions(100)
        .disable_symbol("eval")
        .disable_symbol("try")
        .disable_symbol("print")
        .disable_symbol("debug");
    // Rhai's own would stop everything, and no limit on steps ends it.
    engine.register_fn("sleep", |_: INT| -> Said<()> { Err("a plan knows no time".into()) });
    declarations(&mut engine, seat);
    seen(&mut engine, seat);
    money(&mut engine, seat);
    verbs(&mut engine, seat);
    engine
}

/// `param unit = 10;` and `remember losses = 0;`
fn declarations(engine: &mut Engine, seat: &SharedSeat) {
    let at = seat.clone();
    let param = move |context: &mut EvalContext<'_, '_, '_, '_, '_, '_>,
                      inputs: &[Expression<'_>]| {
        let name = own_name(&inputs[0])?;
        let default = context.eval_expression_tree(&inputs[1])?;
        let default = Value::of(&default).ok_or_else(|| kept_kind(&name, inputs[0].position()))?;
        let mut seat = at.borrow_mut();
        if seat.desk.is_some() && !seat.set.contains_key(&name) {
            let late = format!("`{name}` comes too late: params stand before the first verb");
            return Err(EvalAltResult::ErrorRuntime(late.into(), inputs[0].position()).into());
        }
        let value = seat.set.get(&name).cloned().unwrap_or_else(|| default.clone());
        if !seat.declared.iter().any(|(known, ..)| *known == name) {
            let line = inputs[0].position().line().unwrap_or(0);
            seat.declared.push((name.clone(), line, default));
        }
        context.scope_mut().push_constant_dynamic(name, value.into());
        Ok(Dynamic::UNIT)
    };
    let at = seat.clone();
    let remember = move |context: &mut EvalContext<'_, '_, '_, '_, '_, '_>,
                         inputs: &[Expression<'_>]| {
        let name = own_name(&inputs[0])?;
        let known = at.borrow().memory.get(&name).cloned();
        let value = match known {
            Some(known) => known.into(),
            None => context.eval_expression_tree(&inputs[1])?,
        };
        at.borrow_mut().remembered.push(name.clone());
        context.scope_mut().push_dynamic(name, value);
        Ok(Dynamic::UNIT)
    };
    let declares = |word: &'static str| [word, "$ident$", "=", "$expr$"];
    engine.register_custom_syntax(declares("param"), true, param).expect("a sound syntax");
    engine.register_custom_syntax(declares("remember"), true, remember).expect("a sound syntax");
}

/// The name that is declared, which is not one of the table's.
fn own_name(name: &Expression<'_>) -> Said<String> {
    let place = name.position();
    let name = name.get_string_value().expect("an identifier");
    match SEEN.contains(&name) {
        true => Err(EvalAltResult::ErrorRuntime(shown_name(name).into(), place).into()),
        false => Ok(name.to_owned()),
    }
}

fn shown_name(name: &str) -> String {
    format!("`{name}` is what the table shows, choose another name")
}

fn kept_kind(name: &str, place: Position) -> Box<EvalAltResult> {
    let message = format!("`{name}` has to be a number, an amount, true or false, or a text");
    EvalAltResult::ErrorRuntime(message.into(), place).into()
}

/// What a plan sees by name.
#[expect(deprecated, reason = "`on_var` may change in a later version of Rhai")]
fn seen(engine: &mut Engine, seat: &SharedSeat) {
    let at = seat.clone();
    engine.on_var(move |name, _, _| {
        if !SEEN.contains(&name) {
            return Ok(None);
        }
        on_desk(&at, |desk| {
            let flag = |desk: &mut Desk, question| Dynamic::from(desk.last(question) != 0);
            Ok(Some(match name {
                "puck" => desk.puck().point().map_or(0, |point| INT::from(point.number())).into(),
                "rolled" => desk.last(Question::Rolled).into(),
                "hard" => flag(desk, Question::Hard),
                "net" => dollars(desk.last(Question::Net)).into(),
                "seven_out" => flag(desk, Question::SevenOut),
                "point_made" => flag(desk, Question::PointMade),
                "new_shooter" => flag(desk, Question::NewShooter),
                "rack" => Dynamic::from(Money::Rack),
                "bankroll" => Dynamic::from(Money::Bankroll),
                _ => dollars(desk.at_risk().0).into(),
            }))
        })
    });
    engine.on_def_var(|_, info, _| match SEEN.contains(&info.name()) {
        true => Err(shown_name(info.name()).into()),
        false => Ok(true),
    });
    let at = seat.clone();
    engine.register_fn("up", move |spot: &str| {
        on_desk(&at, |desk| Ok(dollars(desk.up(spot_of(desk.rules(), spot)?).0)))
    });
    let at = seat.clone();
    engine.register_fn("count", move |wager: &str| {
        on_desk(&at, |desk| Ok(desk.count(wager_of(desk.rules(), wager)?) as INT))
    });
    let at = seat.clone();
    engine.register_fn("riding", move |wager: &str| {
        on_desk(&at, |desk| Ok(desk.riding(side_bet(desk.rules(), wager)?)))
    });
    let at = seat.clone();
    engine.register_fn("mark", move |wager: &str, total: INT| {
        on_desk(&at, |desk| {
            let number = u8::try_from(total).ok().and_then(Total::new);
            let number = number.ok_or_else(|| format!("{total} is not a total of two dice"))?;
            Ok(desk.mark(side_bet(desk.rules(), wager)?, number))
        })
    });
    let at = seat.clone();
    engine.register_fn("won", move |spot: &str| {
        on_desk(&at, |desk| {
            let spot = spot_of(desk.rules(), spot)?;
            Ok(dollars(desk.last(Question::Won(spot))))
        })
    });
    let at = seat.clone();
    engine.register_fn("lost", move |spot: &str| {
        on_desk(&at, |desk| {
            let spot = spot_of(desk.rules(), spot)?;
            Ok(dollars(desk.last(Question::Lost(spot))))
        })
    });
}

/// Money by comparison.
fn money(engine: &mut Engine, seat: &SharedSeat) {
    engine.register_type_with_name::<Money>("money");
    // Each comparison in terms of "at least"; an amount is the least cent above it or not.
    type Test = fn(&mut Desk, Money, Cents) -> bool;
    let tests: [(&str, &str, Test); 4] = [
        (">=", "<=", |desk, money, amount| reaches(desk, money, amount)),
        (">", "<", |desk, money, amount| reaches(desk, money, amount + Cents(1))),
        ("<", ">", |desk, money, amount| !reaches(desk, money, amount)),
        ("<=", ">=", |desk, money, amount| !reaches(desk, money, amount + Cents(1))),
    ];
    for (sign, turned, test) in tests {
        let compare = move |seat: &SharedSeat, money: Money, amount: Dynamic| {
            let amount = cents(&amount);
            on_money(seat, |desk| amount.map(|amount| (test(desk, money, amount), Some(amount))))
        };
        let at = seat.clone();
        engine
            .register_fn(sign, move |money: Money, amount: INT| compare(&at, money, amount.into()));
        let at = seat.clone();
        engine.register_fn(sign, move |money: Money, amount: Decimal| {
            compare(&at, money, amount.into())
        });
        let at = seat.clone();
        engine.register_fn(turned, move |amount: INT, money: Money| {
            compare(&at, money, amount.into())
        });
        let at = seat.clone();
        engine.register_fn(turned, move |amount: Decimal, money: Money| {
            compare(&at, money, amount.into())
        });
    }
    // No bankroll is known to the cent: nothing is equal to it.
    for sign in ["==", "!="] {
        fn never<A, B>(_: A, _: B) -> Said<bool> {
            Err("money is compared by >=, >, < and <=, never by == or !=".into())
        }
        engine
            .register_fn(sign, never::<Money, INT>)
            .register_fn(sign, never::<Money, Decimal>)
            .register_fn(sign, never::<INT, Money>)
            .register_fn(sign, never::<Decimal, Money>);
    }
    let at = seat.clone();
    engine.register_fn("stage", move |thresholds: Array| {
        on_money(&at, |desk| {
            let thresholds = thresholds.iter().map(cents).collect::<Result<Vec<_>, _>>()?;
            let stage = thresholds.iter().filter(|from| desk.bankroll_reaches(**from)).count();
            Ok((stage as INT, thresholds.into_iter().min()))
        })
    });
    let at = seat.clone();
    engine.register_fn("shares_of_rack", move |share: Dynamic, most: INT| {
        on_money(&at, |desk| {
            let share = cents(&share)?;
            if share <= Cents::ZERO {
                return Err("a share of the rack has to be more than nothing".to_owned());
            }
            let most = u16::try_from(most).ok().filter(|most| (1..=1_000).contains(most));
            let most = most.ok_or("shares are counted up to a number from 1 to 1000")?;
            Ok((INT::from(desk.shares_of_rack(share, most)), Some(share)))
        })
    });
}

fn reaches(desk: &mut Desk, money: Money, amount: Cents) -> bool {
    match money {
        Money::Rack => desk.rack_reaches(amount),
        Money::Bankroll => desk.bankroll_reaches(amount),
    }
}

/// What a plan can ask.
fn verbs(engine: &mut Engine, seat: &SharedSeat) {
    let at = seat.clone();
    engine.register_fn("want", move |call: Call<'_>, spot: &str, amount: Dynamic| {
        ask(&at, &call, spot, |desk| {
            let (on, amount) = (spot_of(desk.rules(), spot)?, not_below(&amount)?);
            desk.want(on, amount).map_err(|no| refused(spot, amount, &no))?;
            Ok((desk.up(on) < amount).then_some("a line bet is not wanted after its come-out"))
        })
    });
    let at = seat.clone();
    engine.register_fn("put", move |spot: &str, amount: Dynamic| {
        on_desk(&at, |desk| {
            let (on, amount) = (spot_of(desk.rules(), spot)?, not_below(&amount)?);
            desk.put(on, amount).map_err(|no| refused(spot, amount, &no))
        })
    });
    let at = seat.clone();
    engine.register_fn("take", move |call: Call<'_>, spot: &str| {
        ask(&at, &call, spot, |desk| {
            let on = spot_of(desk.rules(), spot)?;
            let bare = desk.up(on) == Cents::ZERO;
            desk.take(on).map_err(|no| no.to_string())?;
            Ok(bare.then_some(BARE))
        })
    });
    let at = seat.clone();
    engine.register_fn(
        "press",
        move |call: Call<'_>, spot: &str, amount: Dynamic, most: Dynamic| {
            ask(&at, &call, spot, |desk| {
                let on = spot_of(desk.rules(), spot)?;
                let (amount, most) = (not_below(&amount)?, not_below(&most)?);
                desk.press(on, amount, most).map_err(|no| refused(spot, most, &no))?;
                Ok((desk.up(on) == Cents::ZERO).then_some(BARE))
            })
        },
    );
    for word in OnOff::ALL {
        let at = seat.clone();
        engine.register_fn(word.word(), move |call: Call<'_>, spot: &str| {
            ask(&at, &call, spot, |desk| {
                let on = spot_of(desk.rules(), spot)?;
                desk.call(on, word).map_err(|no| no.to_string())?;
                Ok((desk.up(on) == Cents::ZERO).then_some(BARE))
            })
        });
    }
    let at = seat.clone();
    engine.register_fn("leave", move || {
        on_desk(&at, |desk| {
            desk.leave();
            Ok(())
        })
    });
    odds(engine, seat);
}

/// `odds()`, `odds(2)`, `odds(2, 2, 2.5)`, and each behind one wager: `odds("pass", 2)`.
fn odds(engine: &mut Engine, seat: &SharedSeat) {
    fn take(seat: &SharedSeat, behind: Option<&str>, multiples: &[Dynamic]) -> Said<()> {
        on_desk(seat, |desk| {
            let behind = behind.map(|behind| wager_of(desk.rules(), behind)).transpose()?;
            let multiples: Result<Vec<Multiple>, String> = multiples.iter().map(multiple).collect();
            let multiples = multiples?;
            desk.odds(behind, &multiples).map_err(|no| format!("odds: {no}"))
        })
    }
    type Times = Dynamic;
    let at = seat.clone();
    engine.register_fn("odds", move || take(&at, None, &[]));
    let at = seat.clone();
    engine.register_fn("odds", move |one: Times| match one.clone().into_immutable_string() {
        Ok(behind) => take(&at, Some(&behind), &[]),
        Err(_) => take(&at, None, &[one]),
    });
    let at = seat.clone();
    engine.register_fn("odds", move |a: Times, b: Times, c: Times| take(&at, None, &[a, b, c]));
    let at = seat.clone();
    engine.register_fn("odds", move |behind: &str, times: Times| take(&at, Some(behind), &[times]));
    let at = seat.clone();
    engine.register_fn("odds", move |behind: &str, a: Times, b: Times, c: Times| {
        take(&at, Some(behind), &[a, b, c])
    });
}

/// Does something at the desk; what is wrong is a sentence.
fn on_desk<T>(seat: &SharedSeat, work: impl FnOnce(&mut Desk) -> Result<T, String>) -> Said<T> {
    let mut seat = seat.borrow_mut();
    let Some(desk) = seat.desk.as_mut() else { return Err("no table is open".into()) };
    work(desk).map_err(Into::into)
}

/// Looks at money, and notes the least amount it was compared with.
fn on_money<T>(
    seat: &SharedSeat,
    work: impl FnOnce(&mut Desk) -> Result<(T, Option<Cents>), String>,
) -> Said<T> {
    let (seen, least) = on_desk(seat, work)?;
    let mut seat = seat.borrow_mut();
    seat.compared = seat.compared.into_iter().chain(least).min();
    Ok(seen)
}

/// Asks for something that may be refused in silence, and notes whether it was: `work` says why
/// where it does not even come to asking.
fn ask(
    seat: &SharedSeat,
    call: &Call<'_>,
    spot: &str,
    work: impl FnOnce(&mut Desk) -> Result<Option<&'static str>, String>,
) -> Said<()> {
    let why = on_desk(seat, |desk| {
        let before = desk.asked().len();
        let why = work(desk)?;
        let answer = desk.asked()[before..].iter().map(|(_, answer)| answer).next_back();
        Ok(match answer {
            Some(Ok(_)) => Some(None),
            // It is not the ask that is at fault.
            Some(Err(Refusal::ShortRack { .. })) => None,
            Some(Err(refusal)) => Some(Some(refusal.to_string())),
            None => Some(why.map(str::to_owned)),
        })
    })?;
    if let Some(why) = why {
        let mut seat = seat.borrow_mut();
        let tried = seat.tried.entry((call.call_position(), spot.to_owned()));
        let known = tried.or_insert_with(|| why.clone());
        if why.is_none() {
            *known = None;
        }
    }
    Ok(())
}

fn not_below(amount: &Dynamic) -> Result<Cents, String> {
    let amount = cents(amount)?;
    match amount < Cents::ZERO {
        true => Err(format!("-${} is less than nothing", Cents(-amount.0))),
        false => Ok(amount),
    }
}

fn refused(spot: &str, amount: Cents, refusal: &Refusal) -> String {
    format!("{spot} for ${amount}: {refusal}")
}

fn spot_of(rules: &Rules, notation: &str) -> Result<Spot, String> {
    rules.spot(notation).ok_or_else(|| {
        let of_wager = rules.wager_named(notation);
        let spots: Vec<&str> = match of_wager {
            Some(wager) => {
                rules.spots_of(wager).map(|spot| rules.spot_rule(spot).notation.as_str()).collect()
            }
            None => {
                let all = rules.spots().map(|spot| rules.spot_rule(spot).notation.as_str());
                nearest(notation, all).into_iter().collect()
            }
        };
        format!("we do not offer `{notation}` at this table{}", hint(spots))
    })
}

fn wager_of(rules: &Rules, name: &str) -> Result<WagerId, String> {
    rules.wager_named(name).ok_or_else(|| {
        let all = rules.wagers().iter().map(|wager| wager.name.as_str());
        format!("we do not offer `{name}` at this table{}", hint(nearest(name, all)))
    })
}

fn side_bet(rules: &Rules, name: &str) -> Result<Spot, String> {
    let spot = match rules.spot(name) {
        Some(spot) => spot,
        None => {
            wager_of(rules, name)?;
            spot_of(rules, name)?
        }
    };
    match rules.tracker_at(spot) {
        Some(_) => Ok(spot),
        None => Err(format!("`{name}` has no lammers, it is not a side bet")),
    }
}
