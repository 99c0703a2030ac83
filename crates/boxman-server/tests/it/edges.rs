//! What wagers and paytables cost, asked of a server: the figures are the mathematician's own.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use boxman_client::{Answer, Client, Value};
use boxman_server::testing::pricing::Pricing;
use craps::{Cents, Library, Rules};
use craps_math::{Edge, Par, ParTerms, Target, Terms, fraction};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::live::{Folder, Live};

const NEVADA: &str = "presque-isle%20bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03";

/// A server to ask.
struct Asked {
    live: Live,
    _folder: Folder,
}

impl Asked {
    async fn start() -> Asked {
        let folder = Folder::new();
        let live = Live::start(&folder.store()).await;
        Asked { live, _folder: folder }
    }

    async fn get(&self, path: &str) -> Answer {
        Client::anyone(&self.live.address).get(path).await.unwrap()
    }

    /// An answer that is no text.
    async fn bytes(&self, path: &str) -> Vec<u8> {
        let mut stream = TcpStream::connect(&self.live.address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        answer
    }

    /// The rows by wager.
    async fn rows(&self, path: &str) -> BTreeMap<String, Value> {
        let rows = self.get(path).await.ok().unwrap();
        let named = |row: &Value| (row["wager"].as_str().unwrap().to_owned(), row.clone());
        rows.as_array().unwrap().iter().map(named).collect()
    }

    #[track_caller]
    fn check(answer: &Answer, status: u16, code: &str, says: &str) {
        assert_eq!((answer.status, answer.code()), (status, code), "{}", answer.text);
        assert!(answer.json["detail"].as_str().unwrap().contains(says), "{}", answer.text);
    }
}

#[tokio::test]
async fn edges_are_those_of_the_mathematician() {
    let server = Asked::start().await;
    let rows = server.rows("/api/edges").await;
    for (wager, edge) in [
        ("pass", "7/495"),
        ("dont-pass", "3/220"),
        ("place 6", "1/66"),
        ("odds pass", "0"),
        ("odds come 4", "0"),
        ("any-seven", "1/6"),
    ] {
        assert_eq!(rows[wager]["edge"], edge, "{wager}");
        assert_eq!(rows[wager]["unpriced"], Value::Null);
    }
    assert_eq!(rows["place 6"]["title"], "Place 6");
    assert_eq!(rows["pass"]["rolls"], "557/165");
    let percent = rows["pass"]["edge_percent"].as_f64().unwrap();
    assert_eq!(percent.to_string(), "1.414141");
    let rules = Rules::named(&Library::embedded(), &["presque-isle"]).unwrap();
    for target in Target::every_spot(&rules) {
        let edge = Edge::of(&rules, &target, None, Terms::default()).unwrap();
        assert_eq!(rows[&target.name]["edge"], fraction(&edge.edge()), "{}", target.name);
    }
}

#[tokio::test]
async fn a_stake_is_rounded_and_what_cannot_be_bet_says_why() {
    let server = Asked::start().await;
    let rows = server.rows("/api/edges?stake=500&options=payout-unit%3D1").await;
    // $5.83 is paid as $5.
    assert_eq!(rows["place 6"]["edge"], "1/11");
    // And what is remembered of one stake is not told of another, or of other options.
    let rows = server.rows("/api/edges?stake=600&options=payout-unit%3D1").await;
    assert_eq!(rows["place 6"]["edge"], "1/66");
    let rows = server.rows("/api/edges?stake=500").await;
    assert_ne!(rows["place 6"]["edge"], "1/11");
    let rows = server.rows("/api/edges?stake=1").await;
    assert_eq!(rows["pass"]["edge"], Value::Null);
    let why = rows["pass"]["unpriced"].as_str().unwrap();
    assert!(why.contains("under the minimum"), "{why}");
}

#[tokio::test]
async fn the_atlas_has_every_rulebook_of_the_house() {
    let server = Asked::start().await;
    let atlas = server.get("/api/atlas").await.ok().unwrap();
    assert_eq!(atlas["rolls_per_hour"], 100);
    let wagers = atlas["wagers"].as_array().unwrap();
    for book in Library::embedded().rulebooks() {
        assert!(wagers.iter().any(|row| row["rulebook"] == book.name), "{}", book.name);
    }
    let pass = wagers.iter().find(|row| row["wager"] == "pass").unwrap();
    assert_eq!(pass["edge"], "7/495");
    assert!(!pass["published"].as_array().unwrap().is_empty());
    // And it is remembered.
    let again = server.get("/api/atlas").await.ok().unwrap();
    assert_eq!(again, atlas);
}

#[tokio::test]
async fn a_meter_is_counted_or_its_seed() {
    let server = Asked::start().await;
    let wager = "make-em-all-progressive";
    let seed = server.rows(&format!("/api/edges?rules={NEVADA}")).await[wager].clone();
    let path = format!("/api/edges?rules={NEVADA}&meter=4000000");
    let full = server.rows(&path).await[wager].clone();
    assert_eq!(full["meter"], 4_000_000);
    assert_eq!(full["paytable"], "PT-BJS-MEA-03");
    assert!(seed["edge_percent"].as_f64() > full["edge_percent"].as_f64());
    let names = ["presque-isle", "bonus-craps-nevada:PT-BJS-MEA-03"];
    let rules = Rules::named(&Library::embedded(), &names).unwrap();
    let target = Target::parse(&rules, wager).unwrap();
    let terms = Terms { meter: Cents(4_000_000), bettors: 1 };
    let edge = Edge::of(&rules, &target, None, terms).unwrap();
    assert_eq!(full["edge"], fraction(&edge.edge()));
    let again = server.rows(&format!("/api/edges?rules={NEVADA}")).await[wager].clone();
    assert_eq!(again, seed);
}

#[tokio::test]
async fn a_table_has_an_edge_for_every_spot_one_can_bet_on() {
    let server = Asked::start().await;
    let table = server.live.practice().await;
    let rows = server.rows(&format!("/api/tables/{table}/edges")).await;
    let view = server.live.view(&table).await;
    let mut spots = 0;
    for wager in view["wagers"].as_array().unwrap() {
        for spot in wager["spots"].as_array().unwrap() {
            let spot = spot.as_str().unwrap();
            let name = wager["wager"].as_str().unwrap();
            // A come bet reaches its number by travelling.
            if ["come", "dont-come"].contains(&name) && spot != name {
                continue;
            }
            spots += 1;
            let row = rows.get(spot).unwrap_or_else(|| panic!("{spot} has no edge"));
            assert!(row["edge"].is_string(), "{row}");
        }
    }
    assert!(spots > 50, "{spots}");
    assert_eq!(rows["make-em-all-progressive"]["meter"], 100_000);
    assert_eq!(rows["odds dont-pass"]["edge"], "0");
    let missing = server.get("/api/tables/zzzzzz/edges").await;
    assert_eq!(missing.status, 404, "{}", missing.text);
}

#[tokio::test]
async fn nonsense_is_refused_in_words() {
    let server = Asked::start().await;
    let long = "x".repeat(2_001);
    let many = "a ".repeat(65).replace(' ', "%20");
    let thirteen = ["WA-BC-1"; 13].join(",");
    for (path, code, says) in [
        ("/api/edges?rules=presque-ile", "bad-rules", "did you mean `presque-isle`"),
        ("/api/edges?rules=presque-isle:NOPE", "bad-rules", "NOPE"),
        ("/api/edges?options=payout-unit", "bad-rules", "expected NAME=VALUE"),
        ("/api/edges?options=no.such=1", "bad-rules", "no.such"),
        ("/api/edges?stake=0", "malformed", "stake lies between"),
        ("/api/edges?stake=-500", "malformed", "stake lies between"),
        ("/api/edges?stake=9000000000000000000", "malformed", "stake lies between"),
        ("/api/edges?stake=five", "malformed", ""),
        ("/api/edges?meter=-1", "malformed", "meter lies between"),
        ("/api/edges?meter=100", "unpriced", "has a meter"),
        (&format!("/api/edges?rules={long}"), "malformed", "2000 letters"),
        (&format!("/api/edges?rules={many}"), "malformed", "64 words"),
        (&format!("/api/edges?options={long}"), "malformed", "2000 letters"),
        ("/api/par?paytables=", "malformed", "name a paytable"),
        ("/api/par", "malformed", "paytables"),
        ("/api/par?paytables=PT-BJS-MEA-99", "unpriced", "there is no paytable"),
        ("/api/par?paytables=WA-BC-1&bettors=0", "unpriced", "bettors go from 1 to 24"),
        ("/api/par?paytables=WA-BC-1&bettors=25", "unpriced", "bettors go from 1 to 24"),
        ("/api/par?paytables=WA-BC-1&bettors=300", "malformed", ""),
        ("/api/par?paytables=WA-BC-1&meter=100", "unpriced", "has a meter"),
        ("/api/par?paytables=WA-BC-1&unit=1", "unpriced", "minimum"),
        ("/api/par?paytables=WA-BC-1&rolls_per_hour=0", "malformed", "1 to 10000"),
        ("/api/par?paytables=WA-BC-1&rolls_per_hour=10001", "malformed", "1 to 10000"),
        ("/api/par?paytables=WA-BC-1&format=pdf", "malformed", ""),
        (&format!("/api/par?paytables={thirteen}"), "malformed", "12 paytables"),
    ] {
        Asked::check(&server.get(path).await, 400, code, says);
    }
}

const TWO: &str = "/api/par?paytables=PT-BJS-MEA-03,PT-BJS-MEA-05&meter=4000000&bettors=6";

fn two() -> Vec<Par> {
    let paytables = ["PT-BJS-MEA-03", "PT-BJS-MEA-05"];
    let terms = ParTerms { meter: Some(Cents(4_000_000)), bettors: 6, ..ParTerms::default() };
    Par::of_paytables(&Library::embedded(), &paytables, terms, &[]).unwrap()
}

#[tokio::test]
async fn sheets_are_those_of_the_command_line() {
    let server = Asked::start().await;
    let version = concat!("boxman ", env!("CARGO_PKG_VERSION"));
    let pars = two();
    for (format, written) in [
        ("json", craps_report::par_json(&pars)),
        ("text", craps_report::par_text(&pars, version)),
        ("html", craps_report::par_html(&pars, version)),
        ("csv", craps_report::par_csv(&pars, version)),
    ] {
        let answer = server.get(&format!("{TWO}&format={format}")).await;
        assert_eq!((answer.status, answer.text.trim()), (200, written.trim()), "{format}");
        let name = format!("filename=\"par-pt-bjs-mea-03-pt-bjs-mea-05.{format}\"");
        let file = ["html", "csv"].contains(&format);
        assert_eq!(answer.head.to_lowercase().contains(&name), file, "{}", answer.head);
    }
    let workbook = server.bytes(&format!("{TWO}&format=xlsx")).await;
    let body = workbook.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap() + 4;
    assert!(workbook[body..].starts_with(b"PK\x03\x04"), "a workbook is an archive");
    assert!(String::from_utf8_lossy(&workbook[..body]).contains("spreadsheetml.sheet"));
    let unit = server.get(&format!("{TWO}&unit=500")).await.ok().unwrap();
    assert_eq!(unit[0]["unit"], 500);
    let options = "options=make-em-all-progressive.meter.seed%3D5000";
    let path = format!("/api/par?paytables=PT-BJS-MEA-03&{options}");
    assert_eq!(server.get(&path).await.ok().unwrap()[0]["meter"], 500_000);
}

#[tokio::test]
async fn what_is_known_does_not_wait_and_few_wait_for_the_rest() {
    let server = Asked::start().await;
    let known = ["/api/edges".to_owned(), format!("{TWO}&format=csv")];
    for path in &known {
        assert_eq!(server.get(path).await.status, 200);
    }
    let many = "PT-BJS-MEA-01,PT-BJS-MEA-02,PT-BJS-MEA-03,PT-BJS-MEA-04,PT-BJS-MEA-05";
    let ask = |number: i64| {
        let client = Client::anyone(&server.live.address);
        let path = format!("/api/par?paytables={many}&bettors=24&meter={}", 4_000_000 + number);
        tokio::spawn(async move { client.get(&path).await.unwrap() })
    };
    let asked: Vec<_> = (0..60).map(ask).collect();
    tokio::time::sleep(Duration::from_millis(50)).await;
    for path in &known {
        assert_eq!(server.get(path).await.status, 200, "{path}");
    }
    // The same sheets at another pace are known too.
    assert_eq!(server.get(&format!("{TWO}&rolls_per_hour=7")).await.status, 200);
    assert!(!asked.iter().all(tokio::task::JoinHandle::is_finished), "others are still waiting");
    let mut answers = [0, 0];
    for answer in asked {
        let answer = answer.await.unwrap();
        match answer.status {
            200 => answers[0] += 1,
            _ => {
                Asked::check(&answer, 503, "busy", "too much is being priced");
                answers[1] += 1;
            }
        }
    }
    assert!(answers[0] >= 2 && answers[1] >= 10, "{answers:?}");
}

#[tokio::test]
async fn two_are_priced_at_once_and_sixteen_wait() {
    let desk = Arc::new(Pricing::default().solving);
    let (go, gone) = mpsc::channel::<()>();
    let gone = Arc::new(Mutex::new(gone));
    let mut waiting = Vec::new();
    for _ in 0..18 {
        let (desk, gone) = (Arc::clone(&desk), Arc::clone(&gone));
        // Until the other end is dropped.
        let wait = move || gone.lock().unwrap().recv().or(Ok(()));
        waiting.push(tokio::spawn(async move { desk.work(wait).await }));
    }
    tokio::task::yield_now().await;
    let refused = desk.work(|| Ok(())).await.unwrap_err();
    assert_eq!((refused.status, refused.code.as_str()), (503, "busy"));
    drop(go);
    for waited in waiting {
        assert!(waited.await.unwrap().is_ok());
    }
    assert!(desk.work(|| Ok(())).await.is_ok());
}

#[tokio::test]
async fn a_page_has_figures_awards_and_charts() {
    let server = Asked::start().await;
    let page = server.get(&format!("{TWO}&format=page")).await.ok().unwrap();
    let figures = page["figures"].as_array().unwrap();
    let figure = |name: &str| figures.iter().find(|figure| figure["name"] == name).unwrap();
    let fixed = &figure("Fixed return")["values"];
    assert_eq!(fixed[0]["exact"], "281549375/612220032");
    assert_eq!((&fixed[0]["best"], &fixed[1]["best"]), (&true.into(), &false.into()));
    let sheets = page["sheets"].as_array().unwrap();
    assert_eq!(sheets.len(), 2);
    let sheet = &sheets[0];
    assert_eq!(sheet["paytable"], "PT-BJS-MEA-03");
    assert_eq!(sheet["break_even"], 22_674_560);
    let top = &sheet["awards"][0];
    assert_eq!((&top["event"], &top["chance"]), (&"10 numbers".into(), &"4375/306110016".into()));
    assert_eq!(top["here"], "here $6,666.67 a bettor");
    let last = sheet["awards"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["event"], &last["pays"]), (&"No award".into(), &Value::Null));
    let charts = sheet["charts"].as_array().unwrap();
    let titles: Vec<&str> = charts.iter().map(|chart| chart["title"].as_str().unwrap()).collect();
    for title in [
        "Distribution of results",
        "Return against the meter",
        "Return by number of bettors",
        "Envy cost by number of bettors",
    ] {
        assert!(titles.contains(&title), "{titles:?}");
    }
    for chart in charts {
        let svg = chart["svg"].as_str().unwrap();
        for word in ["style", "<script", " on", "href", "url("] {
            assert!(!svg.contains(&format!("{word}=")) && !svg.contains("<style"), "{svg}");
        }
    }
}

#[tokio::test]
async fn rulebooks_say_which_paytables_have_a_meter() {
    let server = Asked::start().await;
    let books = server.get("/api/rulebooks").await.ok().unwrap();
    let tables = books.as_array().unwrap().iter();
    let tables = tables.flat_map(|book| book["paytables"].as_array().unwrap().iter());
    for table in tables {
        let progressive = table["name"].as_str().unwrap().starts_with("PT-BJS");
        assert_eq!(table["progressive"], progressive, "{table}");
    }
}
