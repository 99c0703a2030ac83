//! Everything a scenario needs: a database with a synchronous standby, some nodes on it, tables,
//! and what the command line says of them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use boxman_client::postgres::Postgres;
use boxman_client::proxy::Proxy;
use boxman_client::{Client, Fallible, Value, json};

use crate::door::Door;
use crate::node::Node;

/// How nodes reach the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// At its own address and its standby's.
    Direct,
    /// Each through a line of its own that can be cut.
    Lines,
    /// Through two doors behind which databases change.
    Doors,
}

/// A database, its standby, and nodes on it.
pub(crate) struct Cluster {
    // The nodes end first.
    pub(crate) nodes: Vec<Node>,
    pub(crate) lines: Vec<Proxy>,
    pub(crate) doors: Vec<Door>,
    pub(crate) primary: Postgres,
    pub(crate) standby: Postgres,
    pub(crate) folder: PathBuf,
    /// Whoever made the first account.
    pub(crate) boss: Option<Client>,
    program: PathBuf,
}

impl Cluster {
    /// Starts so many nodes on a database of their own.
    pub(crate) async fn open(
        program: &Path,
        folder: &Path,
        nodes: usize,
        reach: Reach,
    ) -> Fallible<Cluster> {
        std::fs::create_dir_all(folder)?;
        let (primary, standby) = tokio::task::block_in_place(|| {
            let primary = Postgres::start()?;
            let standby = primary.standby("s1")?;
            primary.require_standbys(&["s1"])?;
            Fallible::Ok((primary, standby))
        })?;
        let (mut lines, mut doors) = (Vec::new(), Vec::new());
        let at = |places: &str| format!("postgres://postgres@{places}/boxman");
        let mut stores = Vec::new();
        let both = [primary.port(), standby.port()];
        match reach {
            Reach::Direct => {
                let both = both.map(|port| format!("127.0.0.1:{port}")).join(",");
                stores.resize(nodes, at(&both));
            }
            Reach::Lines => {
                for _ in 0..nodes {
                    let line = Proxy::start(([127, 0, 0, 1], primary.port()).into())?;
                    stores.push(at(&line.address().to_string()));
                    lines.push(line);
                }
            }
            Reach::Doors => {
                for port in both {
                    doors.push(Door::open(port).await?);
                }
                let both = [doors[0].address.as_str(), &doors[1].address].join(",");
                stores.resize(nodes, at(&both));
            }
        }
        let mut cluster = Cluster {
            nodes: Vec::new(),
            lines,
            doors,
            primary,
            standby,
            folder: folder.to_owned(),
            boss: None,
            program: program.to_owned(),
        };
        for (number, store) in stores.iter().enumerate() {
            let mut node = Node::new(program, &format!("n{}", number + 1), store, folder)?;
            tokio::task::block_in_place(|| node.start())?;
            cluster.nodes.push(node);
        }
        let link = cluster.nodes[0].link.clone().ok_or("there is no one-time link")?;
        let first = Client::first(&cluster.nodes[0].address, &link, "boss", "a long password 1");
        cluster.boss = Some(first.await?);
        cluster.even().await?;
        Ok(cluster)
    }

    /// Evens out who has which pits, at once: nodes do it by themselves, a few a second.
    async fn even(&self) -> Fallible<()> {
        for _ in 0..100 {
            let counts = self.sql("SELECT count(*) FROM pit GROUP BY name, incarnation")?;
            let counts: Vec<usize> = counts.lines().flat_map(str::parse).collect();
            let fair = 1_024 / self.nodes.len();
            if counts.len() == self.nodes.len() && counts.iter().all(|count| *count + 8 > fair) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        Err("the nodes did not share the pits evenly in 50 s".into())
    }

    /// Where people reach the nodes.
    pub(crate) fn addresses(&self) -> Vec<String> {
        self.nodes.iter().map(|node| node.address.clone()).collect()
    }

    /// The first account.
    pub(crate) fn boss(&self) -> Fallible<Client> {
        Ok(self.boss.clone().ok_or("there is no first account")?)
    }

    /// Opens practice tables with meters of their own, or real ones that share one, each through
    /// another node.
    pub(crate) async fn open_tables(
        &self,
        count: usize,
        shared: Option<&str>,
    ) -> Fallible<Vec<String>> {
        let mut tables = Vec::new();
        let mut boss = self.boss()?;
        for number in 0..count {
            boss.address = self.nodes[number % self.nodes.len()].address.clone();
            let mut config = json!({
                "name": format!("Table {number}"),
                "rules": ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-FUP-01"],
                "options": {
                    "fired-up.meter.seed": "1000",
                    "fired-up.meter.increment": "15%",
                },
                "practice": true,
            });
            if let Some(meter) = shared {
                // Play money does not get into a shared meter.
                config["practice"] = json!(false);
                config["meters"] = json!({ "PT-BJS-FUP-01": meter });
                config["new_meters"] = json!([meter]);
                config["two_people_over"] = json!(1_000_000_000_000_u64);
                config["confirm_jackpots"] = json!(false);
                config["paying"] = json!(false);
            }
            let opened = boss.post("/api/tables", &config).await?.ok()?;
            let table = opened["id"].as_str().ok_or("a table has no id")?.to_owned();
            if shared.is_some() {
                // Chips for all that players may win.
                let fill = json!({ "command": "fill", "amount": 90_000_000_000_u64 });
                boss.command(&table, "float", &fill).await?.ok()?;
            }
            tables.push(table);
        }
        Ok(tables)
    }

    /// What a statement answers, at the primary.
    pub(crate) fn sql(&self, statement: &str) -> Fallible<String> {
        tokio::task::block_in_place(|| self.primary.sql(statement))
    }

    /// The node that has most pits, by its place.
    pub(crate) fn busiest(&self) -> Fallible<usize> {
        let name = self.sql(
            "SELECT name FROM pit WHERE name IS NOT NULL \
             GROUP BY name ORDER BY count(*) DESC LIMIT 1",
        )?;
        let place = self.nodes.iter().position(|node| node.name == name);
        Ok(place.ok_or("nobody has any pits")?)
    }

    /// Which of these tables a node has, by their places.
    pub(crate) fn tables_of(&self, node: usize, tables: &[String]) -> Fallible<Vec<usize>> {
        let name = &self.nodes[node].name;
        let streams = self.sql(&format!(
            "SELECT substr(stream, 7) FROM stream JOIN pit USING (pit) \
             WHERE name = '{name}' AND stream LIKE 'table/%'"
        ))?;
        let place = |id: &str| tables.iter().position(|table| table == id);
        Ok(streams.lines().filter_map(place).collect())
    }

    /// How often pits have changed hands, or were claimed again, so far.
    pub(crate) fn epochs(&self) -> Fallible<u64> {
        Ok(self.sql("SELECT sum(epoch) FROM pit")?.parse()?)
    }

    /// Runs the program with the store's address after the subcommand.
    pub(crate) fn boxman(&self, subcommand: &str, more: &[&str]) -> Fallible<(i32, String)> {
        let ran = tokio::task::block_in_place(|| {
            let mut boxman = Command::new(&self.program);
            boxman.arg(subcommand).arg(self.primary.url()).args(more).output()
        })?;
        let text = String::from_utf8_lossy(&ran.stdout).into_owned()
            + &String::from_utf8_lossy(&ran.stderr);
        Ok((ran.status.code().unwrap_or(-1), text))
    }

    /// The key all nodes share.
    pub(crate) fn key(&self) -> String {
        self.folder.join("boxman.key").display().to_string()
    }

    /// A table as a node shows it.
    pub(crate) async fn view(&self, node: usize, table: &str) -> Fallible<Value> {
        let mut boss = self.boss()?;
        boss.address = self.nodes[node].address.clone();
        let path = format!("/api/tables/{table}");
        tokio::time::timeout(Duration::from_secs(15), boss.get(&path)).await??.ok()
    }
}
