//! PAR sheets of any paytables: to read on a screen, and to take away in every format.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use craps::Cents;
use craps_math::{Par, ParTerms};
use craps_report::{ParObject, ParPage, par_page};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::edges::{STAKE_MOST, cents, words};
use super::extract::{Json, Query};
use super::{App, Shared};
use crate::pricing::SheetsAsked;
use crate::problem::{Problem, Problems};

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

/// Sheets as JSON: an array of them, or with `page` what a screen shows of them.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "it only describes the two forms")]
enum ParAnswer {
    Sheets(Vec<ParObject>),
    Page(ParPage),
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
        (ParAnswer = "application/json"), (String = "text/plain"), (String = "text/html"),
        (String = "text/csv"),
        (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
    )),
    Problems,
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
        Format::Page => Json(par_page(pars)).into_response(),
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
