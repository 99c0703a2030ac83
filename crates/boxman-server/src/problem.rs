//! What went wrong, as the outside hears it: a status, a stable code and a sentence.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};

use craps::Refusal;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use ts_rs::TS;
use utoipa::{IntoResponses, ToSchema};

use crate::dice::NoRandomness;
use crate::line::Line;
use crate::remains::Remains;

/// A problem detail (RFC 9457) with the refusal's stable code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Problem {
    /// `about:blank`: the code says it all.
    #[serde(rename = "type", default)]
    #[ts(type = "string")]
    #[schema(value_type = String)]
    pub kind: AboutBlank,
    /// The HTTP status.
    pub status: u16,
    /// The stable code: a refusal's own, or one of the server's.
    #[schema(example = "over-limit")]
    pub code: String,
    /// A sentence for people.
    pub detail: String,
    /// How many seconds to wait before another try, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    #[schema(value_type = Option<u64>)]
    pub retry_after: Option<NonZeroU32>,
    /// The table's present betting round, where the command meant another or named none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    #[schema(value_type = Option<u64>)]
    pub round: Option<NonZeroU64>,
    /// What has happened since the moment that a command was meant for, oldest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<Vec<Came>>")]
    #[schema(value_type = Option<Vec<Came>>)]
    pub came: Option<Box<[Came]>>,
    /// What has changed since the state that a command was meant for, line by line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<Vec<Line>>")]
    #[schema(value_type = Option<Vec<Line>>)]
    pub lines: Option<Box<[Line]>>,
    /// What keeps a table from being closed for good, and what to do about each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<Vec<Remains>>")]
    #[schema(value_type = Option<Vec<Remains>>)]
    pub remains: Option<Box<[Remains]>>,
}

/// The type of every problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AboutBlank;

impl Serialize for AboutBlank {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("about:blank")
    }
}

impl<'de> Deserialize<'de> for AboutBlank {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AboutBlank, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| AboutBlank)
    }
}

/// Something that ended a betting round before a command for it arrived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Came {
    /// The number of its record, and of the round that it began.
    #[ts(type = "number")]
    pub record: u64,
    /// `rolled`, `voided`, `corrected`, `no-roll`, `dice-passed` or `configured`.
    pub what: String,
    /// The dice it is about, if it is about any.
    pub dice: Option<String>,
    /// Who asked for it: compare with `GET /api/me`.
    pub by: String,
    /// Their name at tables.
    pub name: Option<String>,
    /// When, in milliseconds since 1970.
    #[ts(type = "number")]
    pub at: u64,
}

/// Every answer with a problem in it, for the description of the API.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it is only described")]
pub enum Problems {
    /// The request is at fault, or may not be granted now.
    #[response(status = "4XX", content_type = "application/problem+json")]
    Refused(Problem),
    /// The server cannot do it.
    #[response(status = "5XX", content_type = "application/problem+json")]
    Failed(Problem),
}

impl Problem {
    /// A problem.
    pub fn new(status: u16, code: &str, detail: impl Into<String>) -> Problem {
        let kind = AboutBlank;
        let (code, detail) = (code.to_owned(), detail.into());
        let (retry_after, round, came, lines, remains) = (None, None, None, None, None);
        Problem { kind, status, code, detail, retry_after, round, came, lines, remains }
    }

    /// Not before so many seconds have passed.
    pub fn wait(code: &str, detail: impl Into<String>, seconds: u64) -> Problem {
        let seconds = u32::try_from(seconds).unwrap_or(u32::MAX);
        Problem { retry_after: NonZeroU32::new(seconds), ..Problem::new(429, code, detail) }
    }

    /// The request makes no sense.
    pub fn malformed(detail: impl Into<String>) -> Problem {
        Problem::new(400, "malformed", detail)
    }

    /// Nobody is logged in.
    pub fn nobody() -> Problem {
        Problem::new(401, "not-logged-in", "log in first, or join as a guest")
    }

    /// Somebody else's business.
    pub fn forbidden(detail: impl Into<String>) -> Problem {
        Problem::new(403, "forbidden", detail)
    }

    /// Another player's seat.
    pub fn not_your_seat() -> Problem {
        Problem::new(403, "not-your-seat", "that is not your seat")
    }

    /// Something of a table that strangers do not see.
    pub fn stranger() -> Problem {
        let whose = "names and chips at this table are for those who sit at it, take a seat first";
        Problem::new(403, "not-at-this-table", whose)
    }

    /// There is no such thing.
    pub fn not_found(what: impl fmt::Display) -> Problem {
        Problem::new(404, "not-found", format!("there is no {what}"))
    }

    /// Not as things stand.
    pub fn conflict(code: &str, detail: impl Into<String>) -> Problem {
        Problem::new(409, code, detail)
    }

    /// Something cannot be closed, because this is left: what each is, and what to do about it.
    pub fn not_empty(what: &str, remains: Vec<Remains>) -> Problem {
        let each: Vec<String> = remains.iter().map(Remains::in_words).collect();
        let detail = format!("{what}. {}", each.join("; "));
        Problem { remains: Some(remains.into()), ..Problem::conflict("not-empty", detail) }
    }

    /// Understood, but it cannot be so.
    pub fn invalid(code: &str, detail: impl Into<String>) -> Problem {
        Problem::new(422, code, detail)
    }

    /// Too much at once.
    pub fn too_many(detail: impl Into<String>) -> Problem {
        Problem::new(429, "too-many-requests", detail)
    }

    /// The table is run by another node now.
    pub fn moved() -> Problem {
        let detail = "the table has moved to another node, send that again with the same id";
        Problem::unavailable("table-moved", detail)
    }

    /// Not at this moment; nothing was lost.
    pub fn unavailable(code: &str, detail: impl Into<String>) -> Problem {
        Problem::new(503, code, detail)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.detail, self.code)
    }
}

impl std::error::Error for Problem {}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        Problem::conflict(refusal.code(), refusal.to_string())
    }
}

impl From<NoRandomness> for Problem {
    fn from(error: NoRandomness) -> Problem {
        Problem::unavailable("no-randomness", error.to_string())
    }
}
