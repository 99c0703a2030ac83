//! PAR sheets of any paytables: to read on a screen, and to take away in every format.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use craps::Cents;
use craps_math::{Par, ParTerms};
use craps_report::{Compared, PageAward, PageSheet, Shown, par_page};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::edges::{STAKE_MOST, cents, words};
use super::extract::Query;
use super::{App, Shared};
use crate::pricing::SheetsAsked;
use crate::problem::Problem;

/// Who made the report.
const VERSION: &str = concat!("boxman ", env!("CARGO_PKG_VERSION"));
/// So many paytables are compared at once.
const PAYTABLES: usize = 12;
/// No table throws more often in an hour.
const ROLLS_MOST: u32 = 10_000;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(par))
}

/// Which paytables, and what the sheets are made for.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
    /// The paytables, of any rulebook, separated by commas; at most 12.
    #[param(max_length = 2_000, example = "PT-BJS-MEA-03,PT-BJS-MEA-05")]
    paytables: String,
    /// What the meter shows, in cents; its seed where it is left out.
    #[param(minimum = 0, maximum = 1_000_000_000_000_u64)]
    meter: Option<i64>,
    /// How many players have the bet up.
    #[param(minimum = 1, maximum = 24)]
    bettors: Option<u8>,
    /// What each of them bets, in cents; the smallest bet where it is left out.
    #[param(minimum = 1, maximum = 100_000_000)]
    unit: Option<i64>,
    /// How many rolls an hour the table gets through.
    #[param(minimum = 1, maximum = 10_000)]
    rolls_per_hour: Option<u32>,
    /// Options of their rulebooks, `NAME=VALUE`, separated by spaces.
    #[serde(default)]
    #[param(max_length = 2_000, example = "fired-up.meter.increment=15%")]
    options: String,
    /// `json`, `page` (figures written out, with charts), `text`, or a file to take away: `html`,
    /// `csv`, `xlsx`.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

/// How sheets are written.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Json,
    Page,
    Text,
    Html,
    Csv,
    Xlsx,
}

/// Sheets in the pieces a screen is put together from, every figure written out.
#[derive(Clone, Debug, Serialize, TS, ToSchema)]
pub struct ParPageView {
    /// The figures of all sheets, side by side.
    pub figures: Vec<ParFigure>,
    /// Each sheet, in the order of the values above.
    pub sheets: Vec<ParSheet>,
}

/// A figure of several sheets.
#[derive(Clone, Debug, Serialize, TS, ToSchema)]
pub struct ParFigure {
    /// What it is called.
    pub name: String,
    /// Its value on each sheet, where the sheet has one.
    pub values: Vec<Option<ParValue>>,
}

/// A value as people read it.
#[derive(Clone, Debug, Serialize, TS, ToSchema)]
pub struct ParValue {
    /// Rounded: `45.9883 %`.
    pub rounded: String,
    /// What it is exactly.
    pub exact: String,
    /// Whether the house would choose this of several that differ.
    pub best: bool,
}

/// The sheet of one wager under one paytable.
#[derive(Clone, Debug, Serialize, TS, ToSchema)]
pub struct ParSheet {
    /// The paytable.
    pub paytable: String,
    /// The wager, as written on the felt.
    pub wager: String,
    /// The wager in a sentence.
    pub title: String,
    /// The rulebook.
    pub rulebook: String,
    /// The SHA-256 of its text.
    pub rulebook_hash: String,
    /// What it is made for, in a line.
    pub made_for: String,
    /// What a manager should not overlook.
    pub flags: Vec<String>,
    /// What one player bets, in cents.
    #[ts(type = "number")]
    pub unit: i64,
    /// How many have the bet up.
    pub bettors: u8,
    /// What the meter shows, in cents; none without a meter.
    #[ts(type = "number | null")]
    pub meter: Option<i64>,
    /// What it restarts at.
    #[ts(type = "number | null")]
    pub seed: Option<i64>,
    /// The whole cents at which players have the edge.
    #[ts(type = "number | null")]
    pub break_even: Option<i64>,
    /// Every way it ends, the highest award first.
    pub awards: Vec<ParAwardView>,
    /// Its charts.
    pub charts: Vec<ParChart>,
}

/// A row of a sheet's awards.
#[derive(Clone, Debug, Serialize, TS, ToSchema)]
pub struct ParAwardView {
    /// What has to happen.
    pub event: String,
    /// What it pays; nothing for a push or no award.
    pub pays: Option<String>,
    /// What a jackpot comes to at this meter, in words.
    pub here: Option<String>,
    /// What the dealers get.
    pub envy: Option<String>,
    /// Its chance, as a fraction.
    pub chance: String,
    /// The same in percent.
    pub chance_percent: String,
    /// One in this many; nothing where it never comes.
    pub one_in: Option<String>,
    /// Its part of the return, in percent.
    pub share_percent: String,
    /// The same as a fraction.
    pub share: String,
}

/// A chart.
#[derive(Clone, Debug, Serialize, TS, ToSchema)]
pub struct ParChart {
    /// What it is called.
    pub title: String,
    /// The picture as SVG: no script and no style, text in the colour of the page.
    pub svg: String,
}

impl Which {
    /// What is asked for, where it is within bounds.
    fn sheets(&self) -> Result<SheetsAsked, Problem> {
        let paytables = words("paytables", &self.paytables, |letter| letter == ',')?;
        if paytables.is_empty() {
            return Err(Problem::malformed("name a paytable, see /api/rulebooks"));
        }
        if paytables.len() > PAYTABLES {
            let many = format!("at most {PAYTABLES} paytables are compared at once");
            return Err(Problem::malformed(many));
        }
        Ok(SheetsAsked {
            paytables,
            options: words("options", &self.options, char::is_whitespace)?,
            unit: cents("unit", self.unit, Cents(1), STAKE_MOST)?,
            meter: cents("meter", self.meter, Cents::ZERO, Cents::MOST)?,
            bettors: self.bettors.unwrap_or(1),
        })
    }

    fn rolls_per_hour(&self) -> Result<u32, Problem> {
        let rolls = self.rolls_per_hour.unwrap_or(ParTerms::ROLLS_PER_HOUR);
        match (1..=ROLLS_MOST).contains(&rolls) {
            true => Ok(rolls),
            false => {
                let bounds = format!("a table throws 1 to {ROLLS_MOST} times an hour");
                Err(Problem::malformed(bounds))
            }
        }
    }
}

/// PAR sheets of paytables, side by side.
#[utoipa::path(get, path = "/api/par", tag = "rules", operation_id = "par", params(Which),
    responses(
    (status = 200, description = "the sheets", content(
        (ParPageView = "application/json"), (String = "text/plain"), (String = "text/html"),
        (String = "text/csv"),
        (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
    )),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn par(State(app): Shared, Query(which): Query<Which>) -> Result<Response, Problem> {
    let (sheets, rolls_per_hour) = (which.sheets()?, which.rolls_per_hour()?);
    let name = file_name(&sheets.paytables);
    let pars = match app.pricing.known_sheets(&sheets) {
        Some(known) => known,
        None => {
            let asked = Arc::clone(&app);
            let solve = move || asked.pricing.sheets(asked.house.shelf.library(), &sheets);
            app.pricing.solving.work(solve).await?
        }
    };
    let written = app.pricing.writing.work(move || {
        let at_pace = |par: &Par| Par { rolls_per_hour, ..par.clone() };
        let pars: Vec<Par> = pars.iter().map(at_pace).collect();
        write(&pars, which.format, &name)
    });
    written.await
}

fn write(pars: &[Par], format: Format, name: &str) -> Result<Response, Problem> {
    const WORKBOOK: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    let attached = |kind: &str, end: &str, bytes: Vec<u8>| {
        let disposition = format!("attachment; filename=\"{name}.{end}\"");
        let head =
            [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)];
        (head, bytes).into_response()
    };
    Ok(match format {
        Format::Json => {
            let json = craps_report::par_json(pars);
            ([(header::CONTENT_TYPE, "application/json")], json).into_response()
        }
        Format::Page => axum::Json(ParPageView::of(pars)).into_response(),
        Format::Text => craps_report::par_text(pars, VERSION).into_response(),
        Format::Html => {
            let page = craps_report::par_html(pars, VERSION);
            attached("text/html; charset=utf-8", "html", page.into_bytes())
        }
        Format::Csv => {
            let rows = craps_report::par_csv(pars, VERSION);
            attached("text/csv; charset=utf-8", "csv", rows.into_bytes())
        }
        Format::Xlsx => {
            let broken = |error| Problem::new(500, "broken", format!("no workbook: {error}"));
            attached(WORKBOOK, "xlsx", craps_report::par_xlsx(pars, VERSION).map_err(broken)?)
        }
    })
}

/// `par-PT-BJS-MEA-03-PT-BJS-MEA-05`, in letters every disk takes.
fn file_name(paytables: &[String]) -> String {
    const LONGEST: usize = 80;
    let plain = |letter: char| match letter.is_ascii_alphanumeric() {
        true => letter,
        false => '-',
    };
    let name: String = format!("par-{}", paytables.join("-")).chars().map(plain).collect();
    name.chars().take(LONGEST).collect()
}

impl ParPageView {
    fn of(pars: &[Par]) -> ParPageView {
        let page = par_page(pars);
        let sheets = pars.iter().zip(page.sheets);
        ParPageView {
            figures: page.figures.into_iter().map(figure).collect(),
            sheets: sheets.map(|(par, sheet)| ParSheet::of(par, sheet)).collect(),
        }
    }
}

fn figure(figure: Compared) -> ParFigure {
    let value = |Shown { rounded, exact, best }: Shown| ParValue { rounded, exact, best };
    let values = figure.values.into_iter().map(|shown| shown.map(value)).collect();
    ParFigure { name: figure.name.to_owned(), values }
}

impl ParSheet {
    fn of(par: &Par, sheet: PageSheet) -> ParSheet {
        let chart = |chart: craps_report::svg::Chart| {
            let craps_report::svg::Chart { title, svg } = chart;
            ParChart { title, svg }
        };
        let break_even = par.breakeven(par.bettors);
        let break_even = break_even.and_then(|cents| i64::try_from(cents.ceil()).ok());
        ParSheet {
            paytable: par.paytable.clone(),
            wager: par.wager.clone(),
            title: par.title.clone(),
            rulebook: par.rulebook.0.clone(),
            rulebook_hash: sheet.rulebook_hash,
            made_for: sheet.made_for,
            flags: sheet.flags,
            unit: par.unit.0,
            bettors: par.bettors,
            meter: par.meter.map(|meter| meter.0),
            seed: par.progressive.as_ref().map(|progressive| progressive.terms.seed.0),
            break_even,
            awards: sheet.awards.into_iter().map(award).collect(),
            charts: sheet.charts.into_iter().map(chart).collect(),
        }
    }
}

fn award(award: PageAward) -> ParAwardView {
    let PageAward { event, pays, here, envy, chance, chance_percent, one_in, .. } = award;
    let PageAward { share_percent, share, .. } = award;
    ParAwardView { event, pays, here, envy, chance, chance_percent, one_in, share_percent, share }
}
