//! A PAR report as one HTML page.

use craps_math::Par;

/// The report of several sheets.
pub fn par_html(pars: &[Par], version: &str) -> String {
    format!("<!doctype html><title>{} {version}</title>", pars.len())
}
