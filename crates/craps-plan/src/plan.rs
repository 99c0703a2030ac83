//! A plan: its text, its params, and the player it makes.

use std::rc::Rc;

use craps::Cents;
use craps::did_you_mean::{hint, nearest};
use craps::machine::{Desk, Player};
use rhai::{AST, Engine, EvalAltResult, Scope};

use crate::fault::Fault;
use crate::header::Header;
use crate::param::{Param, params};
use crate::script::{LETTERS, SEEN, VERBS, engine};
use crate::seat::{Memory, SharedSeat, Steps, Value};

/// A betting plan.
pub struct Plan {
    name: String,
    source: String,
    header: Header,
    params: Vec<Param>,
    engine: Engine,
    script: AST,
    seat: SharedSeat,
    steps: Rc<Steps>,
}

/// So much may a plan do from when it sits down: some minutes of work.
const STEPS: u64 = 500_000_000;

impl Plan {
    /// Reads a plan, with params set as `--set` writes them: `unit=25`.
    pub fn parse(name: &str, source: &str, set: &[(String, String)]) -> Result<Plan, Fault> {
        let seat = SharedSeat::default();
        let steps = Steps::at_most(STEPS);
        let engine = engine(&seat, &steps);
        let script = engine.compile(source).map_err(|error| {
            let message = error.err_type().to_string();
            Fault::at(name, source, error.position(), lower(&message))
        })?;
        // Params stand before the first verb, and a verb without a table ends this run.
        let _ = engine.run_ast(&script);
        let declared = std::mem::take(&mut seat.borrow_mut().declared);
        let params = params(name, source, declared, set)?;
        seat.borrow_mut().set =
            params.iter().map(|param| (param.name.clone(), param.value.clone())).collect();
        let header = Header::read(source);
        let (name, source) = (name.to_owned(), source.to_owned());
        Ok(Plan { name, source, header, params, engine, script, seat, steps })
    }

    /// The same plan, stopped after so many steps in all.
    #[must_use]
    pub fn at_most(self, steps: u64) -> Plan {
        self.steps.set_most(steps);
        self
    }

    /// Its name, or the file it was read from.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What its first lines say.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Its params, in their order.
    pub fn params(&self) -> &[Param] {
        &self.params
    }

    /// Its asks that nobody has heard since it was read, wherever they were made: once every
    /// position is explored, they are lines that do nothing.
    pub fn unheard(&self) -> Vec<Fault> {
        let seat = self.seat.borrow();
        let unheard = seat.tried.iter().filter_map(|((place, spot), why)| {
            let message = format!("`{spot}` is never heard here: {}", why.as_ref()?);
            Some(Fault::at(&self.name, &self.source, *place, message))
        });
        unheard.collect()
    }

    /// The least amount it has compared its money with since it was read; none for a plan that
    /// bets the same with every bankroll that can pay for it.
    pub fn looks_at_money_from(&self) -> Option<Cents> {
        self.seat.borrow().compared
    }

    fn fault(&self, error: &EvalAltResult) -> Fault {
        let message = match innermost(error) {
            EvalAltResult::ErrorRuntime(said, _) => said.to_string(),
            EvalAltResult::ErrorTooManyOperations(_) => {
                "the plan does not come to an end: it was stopped after 200,000 steps".to_owned()
            }
            EvalAltResult::ErrorTerminated(..) => format!(
                "the plan is too much work: it was stopped after {} steps in all, compare money \
                 with fewer amounts and keep loops short",
                self.steps.most()
            ),
            EvalAltResult::ErrorVariableNotFound(name, _) => {
                format!("there is no variable `{name}`{}", hint(nearest(name, SEEN)))
            }
            EvalAltResult::ErrorMismatchDataType(wanted, given, _) if wanted == "bool" => {
                let given = if given == "decimal" { "an amount" } else { given };
                format!("{given} is no yes or no: compare it, as in won(\"pass\") > 0")
            }
            EvalAltResult::ErrorFunctionNotFound(call, _) => no_such_verb(call),
            EvalAltResult::ErrorMismatchDataType(wanted, ..) if wanted == "Fn" => {
                "bets are called with on(\"hard 6\"), off(\"hard 6\") and house(\"hard 6\")"
                    .to_owned()
            }
            EvalAltResult::ErrorStackOverflow(_) => {
                "functions call each other without end".to_owned()
            }
            EvalAltResult::ErrorDataTooLarge(what, _) => {
                format!("{} is too large for a plan", lower(what))
            }
            other => {
                let mut other = other.to_string();
                // The position is told in another place.
                if let Some(place) = other.rfind(" (line ") {
                    other.truncate(place);
                }
                lower(&other)
            }
        };
        Fault::at(&self.name, &self.source, innermost(error).position(), message)
    }
}

/// What Rhai calls `want (&str | ImmutableString | String)`, in words.
fn no_such_verb(call: &str) -> String {
    let (name, given) = call.split_once(" (").unwrap_or((call, ""));
    let Some(takes) = VERBS.iter().find(|(verb, _)| *verb == name).map(|(_, takes)| takes) else {
        if given.contains("money") {
            return "money can only be compared, as in rack >= 300".to_owned();
        }
        let near = hint(nearest(name, VERBS.iter().map(|(verb, _)| *verb)));
        return format!("a plan cannot `{name}`{near}");
    };
    format!("`{name}` is written {takes}")
}

/// The error itself, below the calls it came through.
fn innermost(error: &EvalAltResult) -> &EvalAltResult {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => innermost(inner),
        error => error,
    }
}

fn lower(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

impl Player for Plan {
    type Memory = Memory;
    type Fault = Fault;

    fn memory(&self) -> Memory {
        self.steps.begin();
        Memory::new()
    }

    fn ask(&self, memory: &mut Memory, desk: &mut Desk) -> Result<(), Fault> {
        {
            let mut seat = self.seat.borrow_mut();
            seat.desk = Some(desk.lend());
            seat.memory = std::mem::take(memory);
            seat.remembered.clear();
        }
        self.steps.ask();
        let mut scope = Scope::new();
        let ran = self.engine.run_ast_with_scope(&mut scope, &self.script);
        let mut seat = self.seat.borrow_mut();
        *desk = seat.desk.take().expect("the desk was lent");
        ran.map_err(|error| self.fault(&error))?;
        *memory = std::mem::take(&mut seat.memory);
        for name in std::mem::take(&mut seat.remembered) {
            let value = scope.get(&name).and_then(Value::of).ok_or_else(|| {
                let message = format!(
                    "`{name}` cannot be remembered: declare it outside of braces, and keep a \
                     number, an amount, true or false, or a text in it"
                );
                Fault::at(&self.name, &self.source, rhai::Position::NONE, message)
            })?;
            memory.insert(name, value);
        }
        let letters = memory.values().map(|value| match value {
            Value::Text(text) => text.len(),
            _ => 0,
        });
        if letters.sum::<usize>() > LETTERS {
            let message = format!("a plan remembers no more than {LETTERS} letters of text in all");
            return Err(Fault::at(&self.name, &self.source, rhai::Position::NONE, message));
        }
        Ok(())
    }
}
