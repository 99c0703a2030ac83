//! The guide to a side bet of one's own and the crew's page: their files are written, their
//! commands run, and what they print is what the page says. `UPDATE_EXPECT=1 cargo test -p boxman
//! guide` writes the output again.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::root;

/// A fenced block of the guide, with what stands behind its opening mark.
enum Block {
    /// ` ```toml three-amigos.toml `: a file.
    File(String, String),
    /// ` ```console `: commands, each with what it prints.
    Commands(Vec<String>),
    /// Anything else.
    Other(String),
}

/// The guide cut into blocks, fences included in what is other.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut other = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(mark) = line.strip_prefix("```") else {
            other += &format!("{line}\n");
            continue;
        };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match mark.split_once(' ') {
            Some((_, file)) => {
                blocks.push(Block::Other(std::mem::take(&mut other)));
                let text = body.iter().map(|line| format!("{line}\n")).collect();
                other += &format!("```{mark}\n{text}```\n");
                blocks.push(Block::File(file.to_owned(), text));
            }
            None if mark == "console" => {
                blocks.push(Block::Other(std::mem::take(&mut other)));
                let commands = body.iter().filter_map(|line| line.strip_prefix("$ "));
                blocks.push(Block::Commands(commands.map(str::to_owned).collect()));
            }
            None => {
                let text: String = body.iter().map(|line| format!("{line}\n")).collect();
                other += &format!("```{mark}\n{text}```\n");
            }
        }
    }
    blocks.push(Block::Other(other));
    blocks
}

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a command of the guide prints, on both streams.
fn printed(folder: &Path, command: &str) -> String {
    let mut words = command.split_whitespace();
    assert_eq!(words.next(), Some("boxman"), "{command}");
    let output = Command::new(env!("CARGO_BIN_EXE_boxman"))
        .args(words)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("boxman starts");
    assert!(output.status.code().is_some_and(|code| code < 2), "{command} was misused");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("boxman prints text");
    text(&output.stdout) + &text(&output.stderr)
}

/// Writes the files of a guide into a folder of its own and runs its commands there. The last
/// rulebook among the files, and how many commands there were.
#[track_caller]
fn follow(guide: &str) -> (String, usize) {
    let path = root().join("docs").join(guide);
    let folder = std::env::temp_dir().join(format!("boxman-{guide}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let folder = Folder(folder);
    let (mut written, mut rulebook, mut commands) = (String::new(), String::new(), 0);
    for block in blocks(&std::fs::read_to_string(&path).unwrap()) {
        match block {
            Block::Other(text) => written += &text,
            Block::File(file, text) => {
                std::fs::write(folder.0.join(&file), &text).unwrap();
                if file.ends_with(".toml") {
                    rulebook = text;
                }
            }
            Block::Commands(all) => {
                written += "```console\n";
                for command in all {
                    commands += 1;
                    let printed = printed(&folder.0, &command);
                    written += &format!("$ {command}\n{}\n", printed.trim_end());
                }
                written += "```\n";
            }
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &written).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), written, "run with UPDATE_EXPECT=1");
    (rulebook, commands)
}

#[test]
fn every_command_prints_what_the_guide_to_a_side_bet_says() {
    let (rulebook, commands) = follow("side-bet.md");
    assert!(commands >= 5, "{commands} commands were run");
    let finished = std::fs::read_to_string(root().join("docs/three-amigos.toml")).unwrap();
    assert_eq!(finished, rulebook, "the finished file is the guide's last");
}

#[test]
fn every_command_prints_what_the_crews_page_says() {
    assert_eq!(follow("crew.md").1, 1);
}
