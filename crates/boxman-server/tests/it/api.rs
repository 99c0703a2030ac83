//! What programs outside are written against: the description of the HTTP API and the types of
//! its JSON for TypeScript. Both are kept as files, so that a change of either is seen.

use std::collections::BTreeSet;

use boxman_server::audit::{Finding, StreamHead, Verdict};
use boxman_server::testing::access::Sight;
use boxman_server::testing::ask::{Ask, BuyInWord, CashOutWord, Command, OldMeter, Until};
use boxman_server::testing::config::{DiceMode, LimitKind, TableConfig, WagerLimits};
use boxman_server::testing::http::{
    Accepted, AccountView, AdjustWord, AskMeter, BuyInSums, BuyInsView, ChangeAccount, ChangeMe,
    ClosedView, ConfigurationView, FromBell, FromLobby, Guest, LobbyMeter, Login, MakeAccount, Me,
    MeterCommandView, MyPlay, PaytableView, PlaySession, PlayerBuyIns, PlayersMoneyView,
    RecordView, Recorded, Redeem, RulebookView, SittingView, TableLine, openapi,
};
use boxman_server::testing::line::Line;
use boxman_server::testing::mend::{
    MendBet, MendChips, MendKind, MendLine, MendPart, MendPlace, MendQuestion,
};
use boxman_server::testing::payout::{CheckItem, PaidBy};
use boxman_server::testing::pricing::WagerEdge;
use boxman_server::testing::problem::{Came, Problem};
use boxman_server::testing::remains::{Remains, RemainsKind};
use boxman_server::testing::reports::{
    BuyIns, CashOuts, DayReport, Expectation, Held, JackpotsHit, LeftOut, Report, WagerHeld,
};
use boxman_server::testing::role::Role;
use boxman_server::testing::wire::{
    BetView, BoardView, CheckView, Cheer, ClaimView, DiceWait, FromClient, FromServer, HandEnd,
    HandView, Happened, History, IfRolledView, Kind, LammerView, Ledger, LimitView, LimitsView,
    MendMoveView, MendedRollView, MeterView, Movement, NotedView, OfferView, PastHand, PayView,
    ProposalView, RolledView, RungView, SeatLimitsView, SeatView, SettledView, SlipLine, SlipView,
    TableView, ThrownView, TrackerView, UndoneView, Update, WagerView, WaitingAt, WaitingKind,
    WaitingView, WithdrawnView, WorkItemView, WorkListView, WorstRollView,
};
use boxman_server::testing::work::{ChipPlace, ChipTransfer, WorkKind};
use craps_report::svg::Chart;
use craps_report::{
    AtlasPage, AtlasWager, Outcome, ParEnding, ParFigure, ParPage, ParSheet, ParValue,
    PublishedFigure,
};
use expect_test::expect_file;
use ts_rs::{Config, TS};

/// The declarations of these types, in this order.
macro_rules! declarations {
    ($config:expr, $($kind:ty),* $(,)?) => { [$(declaration::<$kind>($config)),*] };
}

fn declaration<T: TS>(config: &Config) -> String {
    format!("{}export {}\n", T::docs().unwrap_or_default(), T::decl(config))
}

/// Every type on the wire. Numbers stay under 2^53: amounts are bounded, and so are records.
fn typescript() -> String {
    let config = Config::new().with_large_int("number");
    let kinds = declarations![
        &config,
        // Problems and people.
        Came,
        Problem,
        Role,
        Guest,
        Login,
        Redeem,
        Me,
        AccountView,
        MakeAccount,
        ChangeAccount,
        ChangeMe,
        MyPlay,
        PlaySession,
        // Tables.
        TableConfig,
        DiceMode,
        WagerLimits,
        LimitKind,
        TableLine,
        LobbyMeter,
        ClosedView,
        FromLobby,
        TableView,
        Sight,
        WagerView,
        PayView,
        BoardView,
        RungView,
        SeatView,
        BetView,
        HandView,
        DiceWait,
        TrackerView,
        LammerView,
        ClaimView,
        CheckView,
        CheckItem,
        PaidBy,
        Line,
        Remains,
        RemainsKind,
        ChipPlace,
        ChipTransfer,
        WorkKind,
        WorkItemView,
        WorkListView,
        WorstRollView,
        LimitsView,
        LimitView,
        SeatLimitsView,
        NotedView,
        UndoneView,
        MendMoveView,
        MendedRollView,
        MendBet,
        MendChips,
        MendKind,
        MendLine,
        MendPart,
        MendPlace,
        MendQuestion,
        BuyInWord,
        CashOutWord,
        Until,
        OldMeter,
        ProposalView,
        WaitingView,
        WaitingAt,
        WaitingKind,
        WithdrawnView,
        FromBell,
        OfferView,
        IfRolledView,
        Cheer,
        // What is asked, and what happens.
        FromClient,
        FromServer,
        Ask,
        Command,
        Accepted,
        Update,
        Happened,
        RolledView,
        ThrownView,
        SettledView,
        RecordView,
        ConfigurationView,
        // What is read back.
        PastHand,
        HandEnd,
        History,
        Ledger,
        Movement,
        Kind,
        SlipView,
        SlipLine,
        // Meters, rulebooks, reports.
        MeterView,
        AskMeter,
        MeterCommandView,
        AdjustWord,
        PlayersMoneyView,
        Recorded,
        RulebookView,
        BuyInsView,
        PlayerBuyIns,
        BuyInSums,
        SittingView,
        PaytableView,
        WagerEdge,
        Outcome,
        AtlasPage,
        AtlasWager,
        PublishedFigure,
        ParPage,
        ParFigure,
        ParValue,
        ParSheet,
        ParEnding,
        Chart,
        Verdict,
        Finding,
        StreamHead,
        LeftOut,
        Report,
        DayReport,
        Held,
        BuyIns,
        CashOuts,
        JackpotsHit,
        WagerHeld,
        Expectation,
    ];
    let head =
        "// The JSON of the live API, written out by the tests. Amounts are whole cents.\n\n";
    // Lists of fields are laid out one to a line where they have comments, and end with spaces.
    let lines = kinds.join("\n");
    let lines: Vec<&str> = lines.lines().map(str::trim_end).collect();
    format!("{head}{}\n", lines.join("\n"))
}

#[test]
fn the_description_of_the_api_is_kept() {
    let mut text = openapi().to_pretty_json().unwrap();
    text.push('\n');
    expect_file!["../../api/openapi.json"].assert_eq(&text);
}

#[test]
fn the_types_of_the_wire_are_kept() {
    expect_file!["../../api/wire.ts"].assert_eq(&typescript());
}

/// A declaration without its comments and texts.
fn bare(text: &str) -> String {
    let mut bare = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"']) {
        bare.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = match () {
            () if rest.starts_with("/*") => rest.find("*/").expect("a comment ends") + 2,
            () if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            () => 2 + rest[1..].find('"').expect("a text ends"),
        };
        rest = &rest[end..];
    }
    bare + rest
}

#[test]
fn every_type_that_is_named_is_declared() {
    let text = bare(&typescript());
    for (open, close) in [('{', '}'), ('[', ']'), ('(', ')'), ('<', '>')] {
        let count = |letter: char| text.matches(letter).count();
        assert_eq!(count(open), count(close), "{open} and {close}");
    }
    let word = |letter: char| !(letter.is_alphanumeric() || letter == '_');
    let declared: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("export type "))
        .map(|rest| rest.split(word).next().unwrap())
        .collect();
    let mut known: BTreeSet<&str> = declared.iter().copied().collect();
    assert_eq!(known.len(), declared.len(), "declared twice: {declared:?}");
    known.insert("Array");
    // Fields are in lower case, so that what begins with a capital is a type.
    let named = text.split(word).filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()));
    let missing: BTreeSet<&str> = named.filter(|name| !known.contains(name)).collect();
    assert!(missing.is_empty(), "not declared: {missing:?}");
    assert!(!text.contains("bigint"), "JSON has no such numbers");
}

/// What a page needs to find a place for a wager it has never heard of.
#[test]
fn a_wager_says_how_it_is_decided() {
    let text = r#"
        name = "house"
        title = "House"
        kind = "base"
        points = [2, 4, 10]
        [limits]
        min = 1
        max = 5
        unit = 1
        [wager.line]
        title = "Line"
        shape = "line"
        side = "right"
        wins = [7]
        loses = [3, 5, 6, 8, 9, 11, 12]
        pays = "1 to 1"
        when = "come-out"
        take = "until-set"
        [wager."odds line"]
        title = "Odds"
        shape = "odds"
        behind = "line"
        pays = { 2 = "6 to 1", 4 = "2 to 1", 10 = "2 to 1" }
        multiples = "2x"
        multiples-of = "stake"
        [wager.big]
        title = "Big"
        shape = "race"
        numbers = [6, 8]
        wins = ["number"]
        loses = [7]
        pays = "1 to 1"
        [wager.hop]
        title = "Hop"
        shape = "one-roll"
        wins = ["4-2"]
        pays = "15 to 1"
        [wager.pairs]
        title = "Pairs"
        shape = "one-roll"
        pays = { "2-2" = "30 to 1", "1-3" = "15 to 1" }
        [wager.hi-lo]
        title = "Hi-lo"
        shape = "one-roll"
        wins = [2, 12]
        pays = "15 to 1"
        [wager.corners]
        title = "Corners"
        shape = "collect"
        collects = [2, 12]
        ends-on = [7]
        when = "idle"
        pays = "70 to 1"
    "#;
    let rulebook = craps::Rulebook::parse("house.toml", text).unwrap();
    let chosen = [craps::rules::Chosen { rulebook, paytables: None }];
    let rules = craps::Rules::compile(&craps::Library::embedded(), &chosen, &[]).unwrap();
    let told: Vec<String> = WagerView::all(&rules)
        .iter()
        .map(|view| format!("{}: {} {:?} {:?}", view.wager, view.kind, view.numbers, view.faces))
        .collect();
    assert_eq!(
        told,
        [
            "line: line [2, 4, 10] []",
            "odds line: odds [2, 4, 10] []",
            "big: race [6, 8] []",
            "hop: one-roll [] [[2, 4]]",
            "pairs: one-roll [] [[2, 2], [1, 3]]",
            "hi-lo: one-roll [] []",
            "corners: tracked [] []",
        ]
    );
}
