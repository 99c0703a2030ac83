//! Who works and plays in the house, and how they come in and go.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use boxman_client::{Answer, Client, Fallible, Random, json};

use crate::house::{House, address, lock};

/// Every account and what it may do. Those whose name starts with `drill` do only what cannot be
/// refused, and those with `crew` deal at tables of their own. `swing` is given other roles now
/// and then, and strangers try the passwords of `mark` and of `ada`, the only administrator but
/// `boss`.
pub(crate) const CAST: [(&str, &[&str]); 27] = [
    ("ada", &["administrator"]),
    ("sue", &["supervisor"]),
    ("sam", &["supervisor"]),
    ("dan", &["dealer"]),
    ("dora", &["dealer"]),
    ("dirk", &["dealer"]),
    ("pia", &["player"]),
    ("paul", &["player"]),
    ("petra", &["player"]),
    ("phil", &["player"]),
    ("pam", &["player"]),
    ("peer", &["player"]),
    ("dual", &["dealer", "player"]),
    ("star", &["supervisor", "player"]),
    ("audi", &["auditor"]),
    ("swing", &["player"]),
    ("mark", &["player"]),
    ("drill.dealer", &["dealer"]),
    ("drill.one", &["supervisor"]),
    ("drill.two", &["supervisor"]),
    ("drill.player", &["player"]),
    ("drill.home", &["supervisor"]),
    ("crew.dan", &["dealer"]),
    ("crew.dee", &["dealer"]),
    ("crew.sue", &["supervisor"]),
    ("crew.sam", &["supervisor"]),
    ("checks", &["auditor"]),
];

/// The password of everybody who keeps theirs to themselves.
const PASSWORD: &str = "correct horse battery";

/// Failures from elsewhere never delay whoever has the right password for longer, in seconds.
const OWNER_WAITS: u64 = 5;

/// Somebody.
pub(crate) struct Person {
    /// The account; for a guest the name at the table.
    pub(crate) name: String,
    pub(crate) roles: Mutex<Vec<String>>,
    /// What the server calls them: `p-ID` or `guest-ID`, once they have come in.
    pub(crate) id: Mutex<String>,
    pub(crate) token: Mutex<String>,
    pub(crate) from: Ipv4Addr,
}

impl Person {
    pub(crate) fn new(name: &str, roles: &[&str], from: Ipv4Addr) -> Person {
        Person {
            name: name.to_owned(),
            roles: Mutex::new(roles.iter().map(|role| (*role).to_owned()).collect()),
            id: Mutex::new(name.to_owned()),
            token: Mutex::default(),
            from,
        }
    }

    pub(crate) fn id(&self) -> String {
        lock(&self.id).clone()
    }

    pub(crate) fn is_guest(&self) -> bool {
        lock(&self.roles).iter().any(|role| role == "guest")
    }

    /// A role to act in.
    pub(crate) fn act_as(&self, random: &mut Random) -> String {
        random.some(&lock(&self.roles)).cloned().unwrap_or_default()
    }

    /// Comes in, by password or as a guest. Says whether that went well.
    pub(crate) async fn enter(self: &Arc<Person>, house: &House) -> bool {
        let (path, body) = match self.is_guest() {
            true => ("/api/guest", json!({ "name": self.name })),
            false => ("/api/login", json!({ "name": self.name, "password": PASSWORD })),
        };
        let Some((open, client)) = house.client(self).await else { return false };
        let client = Client { token: String::new(), ..client };
        let Some(answer) = house.timely(&open, path, client.post(path, &body)).await else {
            return false;
        };
        house.code(&format!("door {}", told(&answer)));
        // Strangers try some of these names from elsewhere; the password here is always right.
        if let Some(seconds) = answer.json["retry_after"].as_u64()
            && answer.code() == "wrong-passwords"
            && seconds > OWNER_WAITS
        {
            house.fault(format!("{} was to wait {seconds} s for others' failures", self.name));
        }
        self.came_in(house, &answer)
    }

    fn came_in(self: &Arc<Person>, house: &House, answer: &Answer) -> bool {
        let (Some(token), Some(id)) =
            (answer.json["token"].as_str(), answer.json["person"].as_str())
        else {
            return false;
        };
        *lock(&self.token) = token.to_owned();
        let before = std::mem::replace(&mut *lock(&self.id), id.to_owned());
        let mut people = lock(&house.people);
        people.remove(&before);
        people.insert(id.to_owned(), Arc::clone(self));
        true
    }

    /// Comes in unless already there. Everybody with a right password gets in, if not at once.
    pub(crate) async fn be_in(self: &Arc<Person>, house: &House) -> bool {
        for _ in 0..20 {
            if !lock(&self.token).is_empty() || self.enter(house).await {
                return true;
            }
            if !house.rest(Duration::from_millis(500)).await {
                return false;
            }
        }
        if !house.is_over() {
            house.fault(format!("{} could not come in for ten seconds", self.name));
        }
        false
    }

    /// Goes home; the token is no good any more.
    pub(crate) async fn go(&self, house: &House) {
        let Some((open, client)) = house.client(self).await else { return };
        let path = "/api/logout";
        if let Some(answer) = house.timely(&open, path, client.post(path, &json!({}))).await {
            house.code(&format!("logout {}", told(&answer)));
            lock(&self.token).clear();
        }
    }
}

/// A status and, of a problem, its code.
pub(crate) fn told(answer: &Answer) -> String {
    match answer.code() {
        "" => answer.status.to_string(),
        code => code.to_owned(),
    }
}

/// Makes the first account with the link and then all the others.
pub(crate) async fn hire(house: &House, server: &str, link: &str) -> Fallible<Vec<Arc<Person>>> {
    let roles = ["supervisor", "administrator"];
    let boss = Arc::new(Person::new("boss", &roles, address(1, 1)));
    let first = json!({ "link": link, "name": "boss", "password": PASSWORD });
    let door = Client::anyone(server).coming_from(boss.from);
    if !boss.came_in(house, &door.post("/api/setup", &first).await?) {
        return Err("the first account could not be made".into());
    }
    let keeper = Client { token: lock(&boss.token).clone(), ..door };
    let mut all = vec![boss];
    for (place, (name, roles)) in CAST.iter().enumerate() {
        let account = json!({ "name": name, "password": PASSWORD, "roles": roles });
        keeper.post("/api/accounts", &account).await?.ok()?;
        let person = Arc::new(Person::new(name, roles, address(1, 2 + place as u8)));
        lock(&house.people).insert((*name).to_owned(), Arc::clone(&person));
        all.push(person);
    }
    Ok(all)
}

/// The person of this account.
pub(crate) fn named(house: &House, name: &str) -> Arc<Person> {
    let people = lock(&house.people);
    let named = people.values().find(|person| person.name == name);
    Arc::clone(named.expect("everybody of the cast was hired"))
}

/// Somebody with the wrong password, or a name nobody has.
pub(crate) async fn try_wrong(house: &House, random: &mut Random) {
    let from = address(7, 1 + random.below(5) as u8);
    let Some(open) = house.open().await else { return };
    let name = *random.pick(&["mark", "mark", "ada", "nobody.here"]);
    let body = json!({ "name": name, "password": random.hex(8) });
    let client = Client::anyone(&open.address).coming_from(from);
    let tried = house.timely(&open, "/api/login", client.post("/api/login", &body)).await;
    let Some(answer) = tried else { return };
    house.code(&format!("wrong password {}", told(&answer)));
    if answer.status < 400 {
        house.fault(format!("{name} came in with a wrong password"));
    }
}
