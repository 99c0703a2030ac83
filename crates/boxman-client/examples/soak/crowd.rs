//! The crowd: everybody goes from table to table, asks for what their role has them ask, listens,
//! and compares.

use std::sync::Arc;
use std::time::Duration;

use boxman_client::{Fallible, Random, Value};

use crate::commands::Sight;
use crate::follow::Follow;
use crate::house::{House, address, lock};
use crate::offers;
use crate::people::Person;

/// Somebody with an account, for as long as the soak goes on.
pub(crate) async fn member(house: Arc<House>, person: Arc<Person>, number: u64) {
    let mut random = Random::new(house.seed, number);
    while person.be_in(&house).await {
        visit(&house, &person, &mut random).await;
        // Some go home for the night, which takes another login.
        if random.chance(4) {
            person.go(&house).await;
        }
        if !house.rest(Duration::from_millis(100)).await {
            return;
        }
    }
}

/// Guests, one after the other. Some log out with their bets up, some just disappear.
pub(crate) async fn guests(house: Arc<House>, number: u8) {
    let mut random = Random::new(house.seed, 1_000 + u64::from(number));
    let mut count = 0;
    while !house.is_over() {
        count += 1;
        let name = format!("Guest {number}.{count}");
        let guest = Arc::new(Person::new(&name, &["guest"], address(8, number)));
        // The door takes a while for those who come too often.
        if guest.enter(&house).await {
            for _ in 0..random.between(1, 4) {
                visit(&house, &guest, &mut random).await;
            }
            if random.chance(50) {
                guest.go(&house).await;
            }
            lock(&house.people).remove(&guest.id());
            house.tick("guests");
        }
        if !house.rest(Duration::from_secs(2)).await {
            return;
        }
    }
}

/// Somebody who only watches, and comes back with the last number seen.
pub(crate) async fn onlooker(house: Arc<House>, number: u8) {
    let mut random = Random::new(house.seed, 1_100 + u64::from(number));
    let nobody = Person::new("nobody", &[], address(9, number));
    while !house.is_over() {
        let table = random.some(&lock(&house.tables)).cloned();
        let mut known = None;
        for _ in 0..random.between(1, 3) {
            let Some(table) = &table else { break };
            let came = Follow::come(&house, &nobody, table, known.take()).await;
            let Ok(Some(mut follow)) = came else { break };
            for _ in 0..random.between(2, 10) {
                let time = Duration::from_millis(random.between(100, 2_000));
                let heard = follow.listen(&house, time).await;
                if heard.is_err() || follow.compare(&house).await.is_err() || house.is_over() {
                    break;
                }
            }
            known = Some(follow.leave());
        }
        house.rest(Duration::from_millis(500)).await;
    }
}

/// A while at one table.
async fn visit(house: &House, person: &Person, random: &mut Random) {
    let Some(table) = random.some(&lock(&house.tables)).cloned() else {
        house.rest(Duration::from_millis(500)).await;
        return;
    };
    let mut known: Option<Value> = None;
    let mut rounds = random.between(5, 40);
    // After a restart they come back to the table with the last number they saw.
    for _ in 0..3 {
        let came = Follow::come(house, person, &table, known.take()).await;
        let mut follow = match came {
            Ok(Some(follow)) => follow,
            Ok(None) => return,
            Err(_) => {
                look_up(house, person).await;
                return;
            }
        };
        let stayed = stay(house, person, &mut follow, &mut rounds, random).await;
        known = Some(follow.leave());
        if stayed.is_ok() || house.is_over() {
            return;
        }
        house.tick("sockets lost");
        look_up(house, person).await;
        if lock(&person.token).is_empty() {
            return;
        }
    }
}

async fn stay(
    house: &House,
    person: &Person,
    follow: &mut Follow,
    rounds: &mut u64,
    random: &mut Random,
) -> Fallible<()> {
    while *rounds > 0 && !house.is_over() {
        *rounds -= 1;
        follow.listen(house, Duration::from_millis(random.between(100, 900))).await?;
        if follow.view["hand"]["status"] == "closed" {
            return Ok(());
        }
        match random.below(100) {
            0..=3 => follow.compare(house).await?,
            4..=11 => offers::take_up(house, person, follow, random).await?,
            _ => {
                let (me, role) = (person.id(), person.act_as(random));
                let sight = Sight { house, view: &follow.view, me: &me };
                let command = sight.command(random, &role);
                let answer = follow.ask(house, person, &command, random.chance(80)).await?;
                // Roles may have changed, and with them the session.
                if answer.is_err_and(|code| code == "not-logged-in") {
                    return Err("logged out".into());
                }
            }
        }
    }
    Ok(())
}

/// Whether somebody is still logged in. Sessions end when roles change.
async fn look_up(house: &House, person: &Person) {
    if let Some(answer) = house.get(person, "/api/me").await
        && answer.status == 401
    {
        lock(&person.token).clear();
    }
}
