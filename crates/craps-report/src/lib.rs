//! Edges, PAR sheets, plans, sessions and samples the way people and programs read them: text,
//! JSON, CSV, HTML and XLSX.
//!
//! Nothing is computed here. Figures come from [`craps_math`]; this crate writes them down.

mod csv;
mod markup;
mod table;
mod plot;
pub mod svg;
mod edge;
mod published;
mod atlas;
mod check;
mod endings;
mod figures;
mod page;
mod par;
mod html;
mod xlsx;
mod session;
mod sim;
mod sim_table;
mod standing;
mod plan;
mod best;

pub use atlas::{
    AtlasPage, AtlasWager, atlas_csv, atlas_html, atlas_json, atlas_markdown, atlas_page,
    atlas_text,
};
pub use best::{BestPlay, best_json, best_plan, best_text, opening_json, opening_text};
pub use check::{RulebookCheck, check_json, check_text};
pub use csv::{Csv, LineEnd};
pub use edge::{Outcome, WagerEdge, edge_csv, edge_json, edge_text};
pub use figures::{ParFigure, ParValue, compared};
pub use html::par_html;
pub use page::{ParEnding, ParPage, ParSheet, par_page};
pub use par::{ParObject, ParObjectAward, par_csv, par_json, par_text};
pub use plan::{CheckedParam, PlanCheck, plan_check_json, plan_check_text};
pub use published::{Collected, Line, PublishedFigure, Unshipped, published};
pub use session::{
    PlanSession, Played, session_csv, session_fan, session_html, session_json, session_text,
    session_xlsx, share,
};
pub use sim::{
    Along, Exact, Hourly, PlanSim, SimInputs, Speed, merge_sims, read_sim, sim_csv, sim_html,
    sim_json, sim_text,
};
pub use sim_table::{
    TableDays, TableMeter, TableSeats, table_days_csv, table_days_json, table_days_text,
};
pub use standing::{Situation, Standing, situations};
pub use xlsx::par_xlsx;
