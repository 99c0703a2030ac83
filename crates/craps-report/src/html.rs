//! A PAR report as one HTML page.

use craps_math::{Par, Ratio};

/// The report of several sheets.
pub fn par_html(pars: &[Par], envy: &[Vec<(u8, Ratio)>], version: &str) -> String {
    format!("<!doctype html><title>{} {version}</title>", pars.len() + envy.len())
}
