//! The server answers as its own description says: every operation is asked what it should
//! understand and a great deal that it should not, by nobody, by a guest and by an administrator.

mod schema;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use boxman_client::{Answer, Client, Value, json};
use boxman_server::testing::http::openapi;

use self::schema::Document;
use crate::chance::Lehmer;
use crate::live::{Folder, Live, fresh_id, open, put, roll};

/// So many variations of what each operation takes, from each caller.
const VARIATIONS: usize = 14;
/// What a healthy server may say when it cannot answer.
const EXCUSES: [&str; 2] = ["busy", "claim-unanswered"];
/// Names that name nothing.
const NOWHERE: [&str; 8] = [
    "0000000",
    "nowhere",
    "%00",
    "%ff%fe",
    "..%2f..%2fetc",
    "%F0%9F%92%A3%F0%9F%92%A3",
    "'%20OR%201=1",
    "%2525",
];

/// One request.
struct Request {
    what: String,
    path: String,
    kind: Option<&'static str>,
    body: String,
    /// What the answer has to be.
    expected: Expected,
}

#[derive(Clone, Copy, PartialEq)]
enum Expected {
    /// Anything that is documented.
    Anything,
    /// Understood, if not done.
    Understood,
    /// Refused.
    Refused,
}

/// An operation of the description.
struct Operation {
    method: String,
    path: String,
    about: Value,
}

/// A server and everything that is asked of it.
struct Inspection {
    live: Live,
    document: Document,
    table: String,
    meter: String,
    chance: Lehmer,
    asked: usize,
}

impl Inspection {
    /// A path with these names filled in, and where it asks for it, a sample of its query.
    fn path(&self, operation: &Operation) -> String {
        let id = if operation.path.contains("/meters/") { &self.meter } else { &self.table };
        let path =
            operation.path.replace("{id}", id).replace("{name}", "spare").replace("{record}", "2");
        let query: Vec<String> = operation.queries().map(|one| self.query(&one)).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{path}{mark}{}", query.join("&"))
    }

    fn query(&self, parameter: &Value) -> String {
        let value = match parameter["name"].as_str().unwrap() {
            "table" => json!(self.table),
            _ => self.document.samples(&parameter["schema"]).remove(0),
        };
        format!("{}={}", parameter["name"].as_str().unwrap(), plain(&value))
    }

    /// What an operation should understand.
    fn proper(&self, operation: &Operation) -> Vec<Request> {
        let path = self.path(operation);
        let request = |body: Value| Request {
            what: format!("proper {body}"),
            path: path.clone(),
            kind: Some("application/json"),
            body: body.to_string(),
            expected: Expected::Understood,
        };
        match operation.body() {
            Some(schema) => self.document.samples(schema).into_iter().map(request).collect(),
            None => vec![Request { kind: None, body: String::new(), ..request(json!({})) }],
        }
    }

    /// What it should not, or just so.
    fn varied(&mut self, operation: &Operation) -> Vec<Request> {
        let path = self.path(operation);
        let mut all = Vec::new();
        if let Some(schema) = operation.body() {
            for sample in self.document.samples(schema) {
                all.extend(self.document.variations(schema, &sample));
            }
        }
        let vary = |variation: schema::Variation| Request {
            what: variation.what,
            path: path.clone(),
            kind: Some("application/json"),
            body: variation.value.to_string(),
            expected: match variation.wrong {
                true => Expected::Refused,
                false => Expected::Anything,
            },
        };
        let mut requests: Vec<Request> = all.into_iter().map(vary).collect();
        requests.extend(self.queries(operation));
        self.chance.some(requests, VARIATIONS)
    }

    fn queries(&self, operation: &Operation) -> Vec<Request> {
        let (path, bare) = (
            self.path(operation),
            operation.path.replace("{id}", &self.table).replace("{record}", "2"),
        );
        let mut requests = Vec::new();
        for parameter in operation.queries() {
            let name = parameter["name"].as_str().unwrap();
            for value in ["", "-1", "0", "24", "256", "18446744073709551615", "1.5", "x", "%00"] {
                let path = format!("{bare}?{name}={value}");
                requests.push(Request::bare(format!("{name} {value}"), path, Expected::Anything));
            }
            let twice = format!("{path}&{}", self.query(&parameter));
            requests.push(Request::bare(format!("{name} twice"), twice, Expected::Refused));
        }
        if operation.queries().next().is_some() {
            let more = format!("{path}&unheard-of=1");
            requests.push(Request::bare("a parameter too many".into(), more, Expected::Refused));
        }
        requests
    }

    /// Bodies that are no JSON, and names that name nothing.
    fn broken(&self, operation: &Operation) -> Vec<Request> {
        let path = self.path(operation);
        let mut requests = Vec::new();
        if let Some(schema) = operation.body() {
            let sample = self.document.samples(schema)[0].to_string();
            let json = Some("application/json");
            for (what, kind, body) in [
                ("no body", json, String::new()),
                ("no kind", None, sample.clone()),
                ("another kind", Some("text/plain"), sample.clone()),
                ("half a body", json, sample[..sample.len() / 2].to_owned()),
                ("two bodies", json, format!("{sample}{sample}")),
                ("nesting", json, "[".repeat(20_000)),
                ("a huge body", json, format!("\"{}\"", "x".repeat(70_000))),
            ] {
                let (what, path) = (what.to_owned(), path.clone());
                requests.push(Request { what, path, kind, body, expected: Expected::Refused });
            }
        }
        // What people keep under names of their own is there once it is put, and gone once it is
        // deleted.
        if operation.path.contains('{') && !operation.path.starts_with("/api/me/play") {
            let sample = self.proper(operation).remove(0);
            let long = "x".repeat(500);
            for name in NOWHERE.into_iter().chain([long.as_str()]) {
                let filled = operation
                    .path
                    .replace("{id}", name)
                    .replace("{name}", name)
                    .replace("{record}", name);
                requests.push(Request {
                    what: format!("nothing named {name}"),
                    path: sample.path.replace(sample.path.split('?').next().unwrap(), &filled),
                    expected: Expected::Refused,
                    body: sample.body.clone(),
                    kind: sample.kind,
                });
            }
        }
        requests
    }

    async fn send(&mut self, client: &Client, method: &str, request: &Request) -> Answer {
        let Request { path, kind, body, .. } = request;
        let kind = kind.map(|kind| format!("content-type: {kind}\r\n")).unwrap_or_default();
        let bearer = match client.token.as_str() {
            "" => String::new(),
            token => format!("authorization: Bearer {token}\r\n"),
        };
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\n{bearer}{kind}content-length: {}\r\n\
             connection: close\r\n\r\n{body}",
            client.address,
            body.len()
        );
        self.asked += 1;
        // The whole atlas is priced for the first who asks.
        let answer = tokio::time::timeout(Duration::from_secs(90), client.raw(text.as_bytes()));
        let answer = answer.await.unwrap_or_else(|_| panic!("{method} {path}: no answer"));
        answer.unwrap_or_else(|error| panic!("{method} {path} {}: {error}", request.what))
    }

    /// Asks, and holds the answer against the description.
    async fn ask(&mut self, client: &Client, operation: &Operation, request: &Request) {
        let answer = self.send(client, &operation.method, request).await;
        let at = format!("{} {} ({}): {}", operation.method, request.path, request.what, {
            let end = answer.text.len().min(600);
            format!("{} {}", answer.status, String::from_utf8_lossy(&answer.text.as_bytes()[..end]))
        });
        self.judge(operation, &answer, &at);
        match request.expected {
            Expected::Anything => {}
            Expected::Understood => assert_ne!(answer.code(), "malformed", "{at}"),
            Expected::Refused => assert!((400..500).contains(&answer.status), "{at}"),
        }
    }

    fn judge(&self, operation: &Operation, answer: &Answer, at: &str) {
        let excused = answer.status == 503 && EXCUSES.contains(&answer.code());
        assert!(answer.status < 500 || excused, "{at}");
        let responses = &operation.about["responses"];
        let exact = responses.get(answer.status.to_string());
        let range = responses.get(format!("{}XX", answer.status / 100));
        let response = exact.or(range).unwrap_or_else(|| panic!("not documented: {at}"));
        if answer.status >= 400 {
            return self.judge_problem(answer, at);
        }
        let Some(contents) = response["content"].as_object() else {
            return assert_eq!(answer.text, "", "{at}");
        };
        let content = contents.iter().find(|(kind, _)| answer.head.contains(kind.as_str()));
        let (kind, content) = content.unwrap_or_else(|| panic!("of another kind: {at}"));
        if kind == "application/json" {
            let fits = self.document.check(&content["schema"], &answer.json);
            assert_eq!(fits, Ok(()), "{at}");
        }
    }

    fn judge_problem(&self, answer: &Answer, at: &str) {
        assert!(answer.head.contains("content-type: application/problem+json"), "{at}");
        let schema = self.document.component("Problem");
        assert_eq!(self.document.check(schema, &answer.json), Ok(()), "{at}");
        assert_eq!(answer.json["status"], answer.status, "{at}");
        for field in ["type", "code", "detail"] {
            assert!(answer.json[field].as_str().is_some_and(|text| !text.is_empty()), "{at}");
        }
    }
}

impl Request {
    fn bare(what: String, path: String, expected: Expected) -> Request {
        Request { what, path, kind: None, body: String::new(), expected }
    }
}

impl Operation {
    fn all(document: &Document) -> Vec<Operation> {
        let mut all = Vec::new();
        for (path, methods) in document.0["paths"].as_object().unwrap() {
            for (method, about) in methods.as_object().unwrap() {
                let (path, about) = (path.clone(), about.clone());
                all.push(Operation { method: method.to_uppercase(), path, about });
            }
        }
        all
    }

    fn body(&self) -> Option<&Value> {
        self.about.pointer("/requestBody/content/application~1json/schema")
    }

    fn queries(&self) -> impl Iterator<Item = Value> {
        let all = self.about["parameters"].as_array().cloned().unwrap_or_default();
        all.into_iter().filter(|parameter| parameter["in"] == "query")
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

async fn inspection(folder: &Folder) -> (Inspection, Vec<(&'static str, Client)>) {
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let (nobody, guest) = (Client::anyone(&live.address), live.guest("Ann").await);
    live.account(&boss, "spare", &["player"]).await;
    let table = open(&boss, &json!({ "name": "Watched", "practice": true })).await;
    let meters = nobody.get("/api/meters").await.unwrap().ok().unwrap();
    let meter = meters[0]["meter"].as_str().unwrap().to_owned();
    let document = nobody.get("/api/openapi.json").await.unwrap().ok().unwrap();
    assert_eq!(document, serde_json::to_value(openapi()).unwrap());
    let document = Document(document);
    let inspection = Inspection { live, document, table, meter, chance: Lehmer(18), asked: 0 };
    (inspection, vec![("nobody", nobody), ("guest", guest), ("boss", boss)])
}

#[tokio::test]
async fn every_operation_answers_as_it_is_described() {
    let folder = Folder::new();
    let (mut inspection, callers) = inspection(&folder).await;
    let started = Instant::now();
    let operations = Operation::all(&inspection.document);
    for (caller, client) in &callers {
        for operation in &operations {
            let mut requests = inspection.proper(operation);
            requests.extend(inspection.varied(operation));
            if *caller == "boss" {
                requests.extend(inspection.broken(operation));
            }
            for request in &requests {
                // Whoever logs out cannot ask any more.
                let client = match operation.path.as_str() {
                    "/api/logout" if *caller != "nobody" => inspection.live.guest("Out").await,
                    _ => client.clone(),
                };
                inspection.ask(&client, operation, request).await;
            }
        }
    }
    let took = started.elapsed();
    assert!((400..2_000).contains(&inspection.asked), "{} requests", inspection.asked);
    assert!(took < Duration::from_secs(60), "{} requests took {took:?}", inspection.asked);
    inspection.live.stop().await;
}

#[tokio::test]
async fn other_methods_and_addresses_are_refused_as_problems() {
    let folder = Folder::new();
    let (mut inspection, callers) = inspection(&folder).await;
    let boss = &callers[2].1;
    let operations = Operation::all(&inspection.document);
    let paths: BTreeSet<String> = operations.iter().map(|one| inspection.path(one)).collect();
    let taken: BTreeSet<(String, String)> =
        operations.iter().map(|one| (one.method.clone(), inspection.path(one))).collect();
    for path in &paths {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "BREW"] {
            let bare = |path: &str| path.split('?').next().unwrap().to_owned();
            let known =
                |(one, other): &(String, String)| one == method && bare(other) == bare(path);
            if taken.iter().any(known) {
                continue;
            }
            let request = Request::bare(String::new(), path.clone(), Expected::Refused);
            let answer = inspection.send(boss, method, &request).await;
            let at = format!("{method} {path}: {} {}", answer.status, answer.text);
            assert_eq!((answer.status, answer.code()), (405, "method-not-allowed"), "{at}");
            inspection.judge_problem(&answer, &at);
        }
    }
    for path in ["/api", "/api/", "/api/tables/", "/api/nothing", "//", "/setup", "/%2e%2e/x"] {
        let request = Request::bare(String::new(), path.to_owned(), Expected::Refused);
        let answer = inspection.send(boss, "GET", &request).await;
        let at = format!("{path}: {} {}", answer.status, answer.text);
        assert_eq!(answer.status, 404, "{at}");
        inspection.judge_problem(&answer, &at);
    }
    inspection.live.stop().await;
}

#[tokio::test]
async fn every_frame_of_a_socket_is_as_described() {
    let folder = Folder::new();
    let (inspection, callers) = inspection(&folder).await;
    let table = inspection.live.practice().await;
    let schema = inspection.document.component("FromServer");
    let mut socket = callers[1].1.socket(&table, None).await.unwrap();
    let commands = [
        json!({ "command": "sit", "seat": 0 }),
        json!({ "command": "buy-in", "seat": 0, "amount": 1_000_000 }),
        put(0, "pass", 1000),
        put(0, "field", 500),
        put(0, "make-em-all-progressive", 100),
        json!({ "command": "call", "seat": 0, "wager": "field", "call": "off" }),
        roll(),
        put(0, "odds", 1000),
        roll(),
        roll(),
        json!({ "command": "take", "seat": 0, "wager": "pass" }),
        json!({ "command": "pass-dice" }),
        json!({ "command": "pause" }),
    ];
    let mut frames = Vec::new();
    for command in &commands {
        let id = fresh_id();
        socket.command(&id, command).await.unwrap();
        while frames.last().is_none_or(|frame: &Value| frame["id"] != id) {
            frames.push(socket.next().await.unwrap().unwrap());
        }
    }
    socket.text("{").await.unwrap();
    socket.text(&json!({ "type": "resume", "after": 8 }).to_string()).await.unwrap();
    let of = |frames: &[Value]| -> BTreeSet<String> {
        frames.iter().map(|frame| frame["type"].to_string()).collect()
    };
    while of(&frames).len() < 7 {
        let frame = tokio::time::timeout(Duration::from_secs(5), socket.next()).await;
        let frame = frame.unwrap_or_else(|_| panic!("only {:?} came", of(&frames)));
        frames.push(frame.unwrap().unwrap());
    }
    for frame in &frames {
        assert_eq!(inspection.document.check(schema, frame), Ok(()));
    }
    inspection.live.stop().await;
}

#[test]
fn every_name_in_the_description_is_its_own() {
    let document = serde_json::to_value(openapi()).unwrap();
    let document = Document(document);
    let operations = Operation::all(&document);
    let names: BTreeSet<String> =
        operations.iter().map(|one| one.about["operationId"].to_string()).collect();
    assert_eq!(names.len(), operations.len(), "{names:?}");
    for operation in &operations {
        for parameter in operation.about["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            let in_path = operation.path.contains(&format!("{{{name}}}"));
            assert_eq!(parameter["in"] == "path", in_path, "{} {name}", operation.path);
        }
    }
    fn references(document: &Document, value: &Value) {
        match value {
            Value::Object(fields) => {
                if fields.contains_key("$ref") {
                    document.resolve(value);
                }
                fields.values().for_each(|field| references(document, field));
            }
            Value::Array(values) => values.iter().for_each(|value| references(document, value)),
            _ => {}
        }
    }
    references(&document, &document.0);
}
