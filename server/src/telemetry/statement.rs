//! One statement that reads, found in a text. That it changes nothing is not decided here: the connection that it is given to can only
//! read. Here, several statements are told from one, and what has no answer from what has one.

/// Why a text is not asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StatementError {
    /// Nothing but space and comments.
    #[error("there is no query: write a SELECT")]
    Empty,
    /// Several statements.
    #[error("there are several statements; ask one at a time (the first ends at character {0})")]
    Several(usize),
    /// Begins with another word.
    #[error(
        "a query begins with SELECT, WITH, VALUES or EXPLAIN, not with '{0}'; the database is only read here"
    )]
    Verb(String),
    /// A text, a name or a comment without an end.
    #[error("what begins at character {at} with {open} has no end")]
    Open {
        /// Where, 1 for the first character.
        at: usize,
        /// What it begins with.
        open: &'static str,
    },
    /// A character that SQLite takes for the end of the text.
    #[error("there is a NUL at character {0}")]
    Nul(usize),
}

/// The statement without its semicolon.
pub fn one_statement(text: &str) -> Result<&str, StatementError> {
    let at = |byte: usize| text[..byte].chars().count() + 1;
    if let Some(nul) = text.find('\0') {
        return Err(StatementError::Nul(at(nul)));
    }
    let (mut begin, mut end) = (None, None);
    let mut byte = 0;
    while let Some(first) = text[byte..].chars().next() {
        let rest = &text[byte..];
        let quoted = [("'", "'"), ("\"", "\""), ("`", "`"), ("[", "]"), ("--", "\n"), ("/*", "*/")];
        let found = quoted.into_iter().find(|(open, _)| rest.starts_with(open));
        let comment = matches!(found, Some(("--" | "/*", _)));
        if !first.is_whitespace() && !comment && first != ';' {
            begin.get_or_insert(byte);
            if let Some(end) = end {
                return Err(StatementError::Several(at(end)));
            }
        }
        byte += match found {
            Some((open, close)) => match rest[open.len()..].find(close) {
                Some(length) => open.len() + length + close.len(),
                // A comment ends with the text as well.
                None if comment => rest.len(),
                None => return Err(StatementError::Open { at: at(byte), open }),
            },
            None => {
                if first == ';' && begin.is_some() {
                    end.get_or_insert(byte);
                }
                first.len_utf8()
            }
        };
    }
    let begin = begin.ok_or(StatementError::Empty)?;
    let statement = &text[begin..end.unwrap_or(text.len())];
    let verb: String =
        statement.chars().take_while(|c| c.is_alphanumeric() || *c == '_').take(40).collect();
    let known = ["select", "with", "values", "explain"];
    if known.iter().any(|word| verb.eq_ignore_ascii_case(word)) {
        Ok(statement)
    } else {
        let verb = if verb.is_empty() { statement.chars().take(1).collect() } else { verb };
        Err(StatementError::Verb(verb))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_statement_and_nothing_else() {
        for (text, statement) in [
            ("select 1", "select 1"),
            (" -- of all\n SELECT ';' ; -- done", "SELECT ';' "),
            (
                "/* ; */ with a as (select 1) select * from a;;\n",
                "with a as (select 1) select * from a",
            ),
            ("values (1), (';''--')", "values (1), (';''--')"),
            ("select \"a;b\", [c;d], `e;f` -- ;", "select \"a;b\", [c;d], `e;f` -- ;"),
        ] {
            assert_eq!(one_statement(text), Ok(statement), "{text}");
        }
        assert_eq!(one_statement(" ; -- nothing"), Err(StatementError::Empty));
        assert_eq!(one_statement("select 1; select 2"), Err(StatementError::Several(9)));
        assert_eq!(one_statement("select 1;'"), Err(StatementError::Several(9)));
        assert_eq!(one_statement("DROP TABLE x"), Err(StatementError::Verb("DROP".into())));
        assert_eq!(one_statement("(select 1)"), Err(StatementError::Verb("(".into())));
        assert_eq!(one_statement("select 'x"), Err(StatementError::Open { at: 8, open: "'" }));
        assert_eq!(one_statement("select \0"), Err(StatementError::Nul(8)));
    }

    proptest! {
        #[test]
        fn any_text_is_one_statement_or_none(text in r#"(select|ä|[;'"\[\]`\n -]|--|/\*|\*/|x){0,20}"#) {
            if let Ok(statement) = one_statement(&text) {
                prop_assert_eq!(one_statement(statement), Ok(statement));
            }
        }
    }
}
