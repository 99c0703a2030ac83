//! What others have published about these wagers, read from `published.toml`, beside ours.

use std::collections::BTreeMap;

use craps::Library;
use craps_math::{Atlas, Compared, Published};
use serde::Serialize;
use toml::de::{DeTable, DeValue};

const TEXT: &str = include_str!("published.toml");

/// A published figure of a wager beside ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct PublishedFigure {
    /// Which figure: `edge`, `deviation`, `hit`.
    #[cfg_attr(feature = "schema", schema(example = "edge"))]
    pub figure: String,
    /// The value as it is printed there.
    #[cfg_attr(feature = "schema", schema(example = "1.41%"))]
    pub published: String,
    /// Ours, written alike with two more places.
    #[cfg_attr(feature = "schema", schema(example = "1.4141%"))]
    pub ours: String,
    /// How far ours is off; none where they agree to the last place printed.
    pub difference: Option<String>,
    /// Why they differ, where they do.
    pub why: Option<String>,
    /// Where it is printed.
    pub source: String,
}

/// One line of the file.
#[derive(Clone, Debug)]
pub struct Line {
    /// What is said of which wager.
    pub published: Published,
    /// Why it differs from ours, where it does.
    pub why: Option<String>,
    /// Where it is printed.
    pub source: String,
}

/// A published figure that nothing here is compared with: of a bet that no rulebook has, or of
/// something that is no figure of a wager.
#[derive(Clone, Debug)]
pub struct Unshipped {
    /// The bet.
    pub bet: String,
    /// What is said of it.
    pub says: String,
    /// Why it is left out.
    pub reason: String,
}

/// Everything that was collected.
#[derive(Clone, Debug)]
pub struct Collected {
    /// Figures of wagers that are here.
    pub lines: Vec<Line>,
    /// Figures that are left out.
    pub unshipped: Vec<Unshipped>,
}

/// What others have published, as far as it was collected.
pub fn published() -> Collected {
    read(TEXT).unwrap_or_else(|fault| panic!("published.toml: {fault}"))
}

impl Collected {
    /// Only what is said of rulebooks that an atlas has.
    #[must_use]
    pub fn about(&self, atlas: &Atlas) -> Collected {
        let charted = |line: &&Line| {
            let book = line.published.rules.split(':').next();
            atlas.wagers.iter().any(|charted| Some(charted.rulebook.as_str()) == book)
        };
        let lines = self.lines.iter().filter(charted).cloned().collect();
        Collected { lines, unshipped: self.unshipped.clone() }
    }

    /// Every figure beside ours, or why it cannot be compared.
    pub fn compared(
        &self,
        library: &Library,
        atlas: &Atlas,
    ) -> Vec<(&Line, Result<Compared, String>)> {
        let all: Vec<Published> = self.lines.iter().map(|line| line.published.clone()).collect();
        self.lines.iter().zip(Published::compare(library, atlas, &all)).collect()
    }
}

impl PublishedFigure {
    pub(crate) fn of(line: &Line, compared: &Compared) -> PublishedFigure {
        PublishedFigure {
            figure: line.published.figure.to_string(),
            published: line.published.value.clone(),
            ours: compared.shown.clone(),
            difference: Some(compared.difference.clone()).filter(|away| !away.is_empty()),
            why: line.why.clone(),
            source: line.source.clone(),
        }
    }
}

fn read(text: &str) -> Result<Collected, String> {
    let root = DeTable::parse(text).map_err(|error| error.to_string())?;
    let root = root.get_ref();
    let source = root.get("source").and_then(|source| source.get_ref().as_table());
    let sources: BTreeMap<String, String> = source
        .into_iter()
        .flatten()
        .map(|(name, address)| (name.get_ref().to_string(), text_of(address.get_ref())))
        .collect();
    let mut collected = Collected { lines: Vec::new(), unshipped: Vec::new() };
    for group in list(root, "rules") {
        for rules in words(group, "rules")? {
            for figure in list(group, "figures") {
                collected.lines.extend(lines(&sources, &rules, group, figure)?);
            }
        }
    }
    for bet in list(root, "unshipped") {
        let (says, reason) = (word(bet, "says")?, word(bet, "reason")?);
        collected.unshipped.push(Unshipped { bet: word(bet, "bet")?, says, reason });
    }
    Ok(collected)
}

/// What one entry says, a line for each of its wagers.
fn lines(
    sources: &BTreeMap<String, String>,
    rules: &str,
    group: &DeTable<'_>,
    figure: &DeTable<'_>,
) -> Result<Vec<Line>, String> {
    let by = word(figure, "by")?;
    let source = sources.get(&by).ok_or_else(|| format!("there is no source `{by}`"))?;
    let mut lines = Vec::new();
    for wager in words(figure, "wager")? {
        let published = Published {
            rules: rules.to_owned(),
            options: words(group, "options").unwrap_or_default(),
            wager,
            figure: word(figure, "figure")?.parse()?,
            value: word(figure, "value")?,
        };
        lines.push(Line { published, why: word(figure, "why").ok(), source: source.clone() });
    }
    Ok(lines)
}

/// The tables of a list.
fn list<'a, 'text>(table: &'a DeTable<'text>, key: &str) -> Vec<&'a DeTable<'text>> {
    let Some(list) = table.get(key).and_then(|node| node.get_ref().as_array()) else {
        return Vec::new();
    };
    list.iter().filter_map(|node| node.get_ref().as_table()).collect()
}

fn word(table: &DeTable<'_>, key: &str) -> Result<String, String> {
    let node = table.get(key).ok_or_else(|| format!("a line needs `{key}`"))?;
    Ok(text_of(node.get_ref()))
}

/// One word, or a list of them.
fn words(table: &DeTable<'_>, key: &str) -> Result<Vec<String>, String> {
    match table.get(key).and_then(|node| node.get_ref().as_array()) {
        Some(list) => Ok(list.iter().map(|node| text_of(node.get_ref())).collect()),
        None => Ok(vec![word(table, key)?]),
    }
}

fn text_of(value: &DeValue<'_>) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
