//! The pages as a browser asks for them: again and again, compressed or not, and by addresses
//! that are none.

use boxman_client::{Answer, Client};

use crate::live::{Folder, Live};

async fn get(live: &Live, path: &str, headers: &[&str]) -> Answer {
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\n{headers}connection: close\r\n\r\n");
    Client::anyone(&live.address).raw(request.as_bytes()).await.unwrap()
}

fn header(answer: &Answer, name: &str) -> Option<String> {
    let mut lines = answer.head.lines().filter_map(|line| line.split_once(": "));
    lines.find(|(found, _)| *found == name).map(|(_, value)| value.to_owned())
}

#[tokio::test]
async fn a_page_that_has_not_changed_is_not_sent_again() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let page = get(&live, "/", &[]).await;
    let tag = header(&page, "etag").unwrap();
    let strong = tag.strip_prefix("w/").expect("compressed or not, it is the same page");
    for (seen, status) in [
        (format!("W/{strong}"), 304),
        (strong.to_owned(), 304),
        (format!("\"other\", W/{strong}"), 304),
        ("*".to_owned(), 304),
        ("\"other\"".to_owned(), 200),
        ("W/\"other\"".to_owned(), 200),
        (String::new(), 200),
    ] {
        let answer = get(&live, "/", &[&format!("if-none-match: {seen}")]).await;
        assert_eq!(answer.status, status, "{seen}");
        assert_eq!(header(&answer, "etag"), Some(tag.clone()), "{seen}");
        assert_eq!(header(&answer, "vary").as_deref(), Some("accept-encoding"), "{seen}");
        assert_eq!(answer.text.is_empty(), status == 304, "{seen}");
    }
    live.stop().await;
}

#[tokio::test]
async fn a_browser_that_strays_gets_a_page_and_a_program_a_problem() {
    const BROWSER: &str = "accept: text/html,application/xhtml+xml,*/*;q=0.8";
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let page = get(&live, "/", &[BROWSER]).await;
    assert_eq!(page.status, 200);
    for path in ["/nowhere", "/table", "/table/1/2", "/apis"] {
        let tag = format!("if-none-match: {}", header(&page, "etag").unwrap());
        let strayed = get(&live, path, &[BROWSER, &tag]).await;
        assert_eq!((strayed.status, &strayed.text), (404, &page.text), "{path}");
        assert_eq!(header(&strayed, "content-type"), header(&page, "content-type"), "{path}");
        assert_eq!(header(&strayed, "cache-control").as_deref(), Some("no-store"), "{path}");
    }
    for (path, accept) in [
        ("/nowhere", "accept: */*"),
        ("/nowhere", "accept: application/json"),
        ("/api", BROWSER),
        ("/api/nowhere", BROWSER),
        ("/assets/nowhere.js", BROWSER),
    ] {
        let problem = get(&live, path, &[accept]).await;
        assert_eq!((problem.status, problem.code()), (404, "not-found"), "{path} {accept}");
    }
    let posted = Client::anyone(&live.address).request("POST", "/nowhere", "").await.unwrap();
    assert_eq!((posted.status, posted.code()), (404, "not-found"));
    live.stop().await;
}

/// `old` is sent on to `new`, for good.
async fn check_moved(live: &Live, old: &str, new: &str) {
    let answer = get(live, old, &[]).await;
    assert_eq!(answer.status, 308, "{old}");
    assert_eq!(header(&answer, "location").as_deref(), Some(new), "{old}");
}

#[tokio::test]
async fn what_was_called_odds_is_found_among_the_edges() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    check_moved(&live, "/odds", "/edges").await;
    check_moved(&live, "/odds?view=par&rules=a%20b:c,d", "/edges?view=par&rules=a%20b:c,d").await;
    check_moved(&live, "/odds/more/odds", "/edges/more/odds").await;
    check_moved(&live, "/api/odds", "/api/edges").await;
    check_moved(&live, "/api/odds?stake=500&odds=1", "/api/edges?stake=500&odds=1").await;
    check_moved(&live, "/api/odds/more", "/api/edges/more").await;
    check_moved(&live, "/api/tables/oddsab/odds?x=%2f", "/api/tables/oddsab/edges?x=%2f").await;
    let page = get(&live, "/edges", &[]).await;
    assert_eq!((page.status, page.text), (200, get(&live, "/", &[]).await.text));
    assert_eq!(get(&live, "/api/edges?stake=500", &[]).await.status, 200);
    live.stop().await;
}
