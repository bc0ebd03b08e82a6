//! A minimal lexer of Rust that separates code from strings and comments.

/// Blanks the content of strings, characters and comments; line numbers stay.
pub fn code_only(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = other_than_code(&chars, at);
        if end == at {
            out.push(chars[at]);
            at += 1;
        } else {
            out.extend(chars[at..end].iter().map(|&c| if c == '\n' { c } else { ' ' }));
            at = end;
        }
    }
    out
}

/// End of the string, character or comment that begins at `at`; `at` if none does.
fn other_than_code(chars: &[char], at: usize) -> usize {
    let next = chars.get(at + 1).copied();
    match chars[at] {
        '/' if next == Some('/') => {
            chars[at..].iter().position(|&c| c == '\n').map_or(chars.len(), |n| at + n)
        }
        '/' if next == Some('*') => block_comment(chars, at),
        '"' => string(chars, at),
        'r' if !is_word(chars, at) => raw_string(chars, at),
        '\'' => character(chars, at),
        _ => at,
    }
}

/// True if the character before `at` is part of the same word.
fn is_word(chars: &[char], at: usize) -> bool {
    at > 0 && (chars[at - 1].is_alphanumeric() && chars[at - 1] != 'b' || chars[at - 1] == '_')
}

fn block_comment(chars: &[char], start: usize) -> usize {
    let (mut depth, mut at) = (0, start);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    at
}

fn string(chars: &[char], start: usize) -> usize {
    let mut at = start + 1;
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(chars.len())
}

fn raw_string(chars: &[char], start: usize) -> usize {
    let hashes = chars[start + 1..].iter().take_while(|&&c| c == '#').count();
    if chars.get(start + 1 + hashes) != Some(&'"') {
        return start;
    }
    let mut at = start + 2 + hashes;
    while at < chars.len() {
        let closes = chars[at] == '"'
            && chars[at + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes;
        if closes {
            return at + 1 + hashes;
        }
        at += 1;
    }
    at
}

/// A character, not a lifetime.
fn character(chars: &[char], start: usize) -> usize {
    match (chars.get(start + 1), chars.get(start + 2)) {
        (Some('\\'), _) => {
            let close = chars.iter().skip(start + 3).position(|&c| c == '\'');
            close.map_or(chars.len(), |n| start + 4 + n)
        }
        (Some(_), Some('\'')) => start + 3,
        _ => start,
    }
}

#[test]
fn only_code_is_left() {
    let text = "let a = \"fn {\"; // fn }\nlet b = '{'; /* { /* } */ */ let c: &'static str = \
                r#\"}\"{\"#;\nlet d = '\\'';";
    let code = code_only(text);
    assert!(!code.contains(['{', '}']), "{code}");
    assert_eq!(code.lines().count(), text.lines().count());
    for kept in ["let a", "let b", "let c: &'static str", "let d"] {
        assert!(code.contains(kept), "{kept} in {code}");
    }
}
