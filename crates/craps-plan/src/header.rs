//! The first lines of a plan: what it is, and the rules and options it needs.

/// What the comment at the top of a plan says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// What the plan does, line by line.
    pub about: Vec<String>,
    /// The rules it needs, as `--rules` names them: `// rules: bonus-craps-nevada`.
    pub rules: Vec<String>,
    /// The options it needs, as `--option` names them: `// option: payout-unit=1.00`.
    pub options: Vec<String>,
}

impl Header {
    /// Reads the comment that a plan opens with.
    pub fn read(source: &str) -> Header {
        let mut header = Header::default();
        let comments = source.lines().map_while(|line| line.trim().strip_prefix("//"));
        for line in comments.map(str::trim) {
            match line.split_once(':').map(|(key, value)| (key, value.trim().to_owned())) {
                Some(("rules", rules)) => header.rules.push(rules),
                Some(("option", option)) => header.options.push(option),
                _ => header.about.push(line.to_owned()),
            }
        }
        header
    }

    /// What the plan does, in its first sentence.
    pub fn summary(&self) -> String {
        let ends = self.about.iter().position(|line| line.ends_with('.') || line.contains(". "));
        let about = self.about[..ends.map_or(self.about.len(), |end| end + 1)].join(" ");
        about.split_once(". ").map_or(about.clone(), |(first, _)| format!("{first}."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_comment_is_the_header() {
        let text = "// Pass: with odds.\n// rules: bonus-craps-nevada\n// option: a.b=1\n\n// no";
        let header = Header::read(text);
        assert_eq!(header.summary(), "Pass: with odds.");
        assert_eq!(header.rules, ["bonus-craps-nevada"]);
        assert_eq!(header.options, ["a.b=1"]);
    }
}
