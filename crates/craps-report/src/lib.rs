//! Edges and PAR sheets the way people and programs read them: text, JSON, CSV, HTML and XLSX.
//!
//! Nothing is computed here. Figures come from [`craps_math`]; this crate writes them down.

mod html;
mod svg;

pub use html::par_html;
