//! Shell expressions in a text, as Flux expands them (`fluxcd/pkg/envsubst`): `${name}`, defaults,
//! and the functions of bash on strings. Only braces count; `$$` is a dollar sign.

/// A closing brace is missing, or an unknown operator precedes it.
const NO_BRACE: &str = "missing closing brace";
/// An operator has no argument, as in `${name%}`.
const NO_ARGUMENT: &str = "unable to parse substitution within function";

/// The maximal nesting of expressions, far above practical use.
const MAX_NESTING: usize = 64;

/// The value of a variable by its name, and whether the expression has a default; `None` if it is
/// not known.
pub(super) type VariableLookup<'v> = dyn Fn(&str, bool) -> Option<String> + 'v;

/// Expands every expression of a text. An expression whose value is not known is kept as written.
///
/// # Errors
/// An expression is malformed.
pub(super) fn expand(text: &str, value: &VariableLookup<'_>) -> Result<String, &'static str> {
    let mut reader = SubstitutionReader { rest: text, value, depth: 0 };
    let mut out = String::with_capacity(text.len());
    while !reader.rest.is_empty() {
        out.push_str(&reader.read_piece(&|_| false, false)?);
    }
    Ok(out)
}

/// The names of the variables in a text.
pub fn variable_names(text: &str) -> Vec<&str> {
    let pieces = text.split("${").skip(1);
    let names = pieces.map(|piece| {
        let piece = piece.trim_start_matches('#');
        piece.split(|c: char| !is_name(c)).next().unwrap_or_default()
    });
    names.filter(|name| !name.is_empty()).collect()
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

struct SubstitutionReader<'t> {
    rest: &'t str,
    value: &'t VariableLookup<'t>,
    depth: usize,
}

impl SubstitutionReader<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    /// Reads one expression, or the plain text before the next expression or end character.
    fn read_piece(
        &mut self,
        ends: &dyn Fn(char) -> bool,
        inside: bool,
    ) -> Result<String, &'static str> {
        if let Some(rest) = self.rest.strip_prefix("${") {
            self.rest = rest;
            return self.expression();
        }
        let mut out = String::new();
        while let Some(next) = self.peek() {
            if self.rest.starts_with("${") {
                break;
            }
            let escaped = self.rest.starts_with("$$")
                || inside && (self.rest.starts_with("\\/") || self.rest.starts_with("\\\\"));
            if escaped {
                self.skip(1);
            } else if ends(next) {
                break;
            }
            let sign = self.peek().unwrap_or_default();
            out.push(sign);
            self.skip(sign.len_utf8());
        }
        Ok(out)
    }

    /// Reads one piece of the text before the character `end`, as Flux does.
    fn parameter(&mut self, end: char) -> Result<String, &'static str> {
        self.read_piece(&|sign| sign == end || sign == '}', true)
    }

    /// Reads an argument like [`Self::parameter`]; fails if the expression ends before it.
    fn argument(&mut self, end: char) -> Result<String, &'static str> {
        if self.peek() == Some('}') { Err(NO_ARGUMENT) } else { self.parameter(end) }
    }

    fn close(&mut self) -> Result<(), &'static str> {
        self.rest = self.rest.strip_prefix('}').ok_or(NO_BRACE)?;
        Ok(())
    }

    fn name(&mut self) -> Result<String, &'static str> {
        let end = self.rest.find(|c: char| !is_name(c)).unwrap_or(self.rest.len());
        let name = self.rest.get(..end).unwrap_or_default().to_owned();
        self.skip(end);
        if name.is_empty() { Err("unable to parse variable name") } else { Ok(name) }
    }

    fn expression(&mut self) -> Result<String, &'static str> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err("expressions nested too deeply");
        }
        let written = self.rest;
        let result = self.expression_within();
        self.depth -= 1;
        Ok(result?.unwrap_or_else(|| {
            let used = written.len() - self.rest.len();
            format!("${{{}", written.get(..used).unwrap_or_default())
        }))
    }

    /// Expands the expression after `${`; `None` if its value is not known.
    fn expression_within(&mut self) -> Result<Option<String>, &'static str> {
        if let Some(rest) = self.rest.strip_prefix('#') {
            self.rest = rest;
            let name = self.name()?;
            self.close()?;
            return Ok((self.value)(&name, false).map(|value| value.len().to_string()));
        }
        let name = self.name()?;
        let second = self.rest.chars().nth(1);
        let has_default = match self.peek() {
            Some(':') => matches!(second, Some('=' | '-' | '?' | '+')),
            next => next == Some('='),
        };
        let known = (self.value)(&name, has_default);
        let is_known = known.is_some();
        let value = known.unwrap_or_default();
        let text = match (self.peek(), second) {
            (Some(':'), Some('=' | '-' | '?' | '+')) => self.default(value, 2),
            (Some('='), _) => self.default(value, 1),
            (Some(':'), _) => self.part(&value),
            (Some(sign @ (',' | '^')), second) => {
                self.convert_case(&value, sign, second == Some(sign))
            }
            (Some('/'), second) => self.replace(&value, second),
            (Some(sign @ ('#' | '%')), second) => self.trim(&value, sign, second == Some(sign)),
            _ => self.close().map(|()| value),
        };
        text.map(|text| is_known.then_some(text))
    }

    /// Reads a default: Flux treats `:=`, `:-`, `:?`, `:+` and `=` alike.
    fn default(&mut self, value: String, operator: usize) -> Result<String, &'static str> {
        self.skip(operator);
        let mut default = String::new();
        while self.peek().ok_or(NO_BRACE)? != '}' {
            default.push_str(&self.parameter('}')?);
        }
        self.close()?;
        Ok(if value.is_empty() { default } else { value })
    }

    /// Expands `${name:from:count}`: a part of the value.
    fn part(&mut self, value: &str) -> Result<String, &'static str> {
        self.skip(1);
        let from = self.argument(':')?;
        let count = if self.rest.starts_with(':') {
            self.skip(1);
            Some(self.argument('}')?)
        } else {
            None
        };
        self.close()?;
        let length = i64::try_from(value.len()).unwrap_or(i64::MAX);
        let Ok(from) = from.parse::<i64>() else { return Ok(value.to_owned()) };
        let from = if from < 0 { (length + from).max(0) } else { from };
        let to = match count.map(|count| count.parse::<i64>()) {
            None => length,
            Some(Err(_)) => return Ok(value.to_owned()),
            Some(Ok(count)) => from.saturating_add(count).clamp(0, length),
        };
        let range = usize::try_from(from).unwrap_or(0)..usize::try_from(to).unwrap_or(0);
        Ok(value.get(range).unwrap_or_default().to_owned())
    }

    /// Expands `${name^}`, `^^`, `,` and `,,`: the value with its first letter or all letters in
    /// upper case (`^`) or lower case (`,`).
    fn convert_case(&mut self, value: &str, sign: char, all: bool) -> Result<String, &'static str> {
        self.skip(if all { 2 } else { 1 });
        self.close()?;
        let turned =
            |text: &str| if sign == '^' { text.to_uppercase() } else { text.to_lowercase() };
        if all {
            return Ok(turned(value));
        }
        let first = value.chars().next().map_or(0, char::len_utf8);
        let (head, tail) = value.split_at(first);
        Ok(format!("{}{tail}", turned(head)))
    }

    /// Expands `${name/old/new}`: the value with the first `old` replaced; with `//` all of them,
    /// with `/#` one at the beginning, with `/%` one at the end.
    fn replace(&mut self, value: &str, second: Option<char>) -> Result<String, &'static str> {
        let kind = second.filter(|sign| matches!(sign, '/' | '#' | '%'));
        self.skip(if kind.is_some() { 2 } else { 1 });
        let old = self.read_piece(&|sign| sign == '/', true)?;
        self.rest = self.rest.strip_prefix('/').ok_or("bad substitution")?;
        let has_new = self.peek() != Some('}');
        let new = if has_new { self.parameter('}')? } else { String::new() };
        self.close()?;
        Ok(match kind {
            Some('/') => value.replace(&old, &new),
            Some('#' | '%') if !has_new => value.to_owned(),
            Some('#') => match value.strip_prefix(&*old) {
                Some(rest) => format!("{new}{rest}"),
                None => value.to_owned(),
            },
            Some('%') => match value.strip_suffix(&*old) {
                Some(rest) => format!("{rest}{new}"),
                None => value.to_owned(),
            },
            _ => value.replacen(&old, &new, 1),
        })
    }

    /// Expands `${name#pattern}`, `##`, `%` and `%%`: the value without the shortest or longest
    /// matching prefix (`#`) or suffix (`%`).
    fn trim(&mut self, value: &str, sign: char, longest: bool) -> Result<String, &'static str> {
        self.skip(if longest { 2 } else { 1 });
        let pattern = self.argument('}')?;
        self.close()?;
        let pattern: Vec<char> = pattern.chars().collect();
        let signs: Vec<char> = value.chars().collect();
        let lengths: Vec<usize> = (1..=signs.len()).collect();
        let fits = |length: &&usize| {
            let piece = match sign {
                '#' => signs.get(..**length),
                _ => signs.get(signs.len() - **length..),
            };
            piece.is_some_and(|piece| matches(&pattern, piece))
        };
        let found =
            if longest { lengths.iter().rev().find(fits) } else { lengths.iter().find(fits) };
        let cut = found.copied().unwrap_or(0);
        let kept = if sign == '#' { signs.get(cut..) } else { signs.get(..signs.len() - cut) };
        Ok(kept.unwrap_or_default().iter().collect())
    }
}

/// True if a pattern matches a text: `*` matches any text and `?` any character.
fn matches(pattern: &[char], text: &[char]) -> bool {
    let (mut at, mut star) = ((0, 0), None);
    while at.1 < text.len() {
        match pattern.get(at.0) {
            Some('*') => {
                star = Some(at);
                at.0 += 1;
            }
            Some(sign) if *sign == '?' || text.get(at.1) == Some(sign) => at = (at.0 + 1, at.1 + 1),
            _ => match star {
                Some((back, taken)) => {
                    star = Some((back, taken + 1));
                    at = (back + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern.get(at.0..).unwrap_or_default().iter().all(|sign| *sign == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(name: &str, _: bool) -> Option<String> {
        Some(match name {
            "a" => "hello world".to_owned(),
            "path" => "/usr/lib/x.tar.gz".to_owned(),
            "n" => "3".to_owned(),
            "elsewhere" => return None,
            _ => String::new(),
        })
    }

    #[test]
    fn expression_with_unknown_variable_is_kept() {
        for text in [
            "x ${elsewhere} y",
            "${elsewhere:=d}",
            "${#elsewhere}",
            "${elsewhere/a/b}${elsewhere^^}",
            "${elsewhere##*/}",
        ] {
            assert_eq!(expand(text, &value).as_deref(), Ok(text));
        }
        assert_eq!(expand("${none:=${elsewhere}}${n}", &value).as_deref(), Ok("${elsewhere}3"));
        assert_eq!(expand("${elsewhere", &value), Err(NO_BRACE));
    }

    #[test]
    fn expressions_expand_as_in_flux() {
        let cases = [
            ("x ${a} y", "x hello world y"),
            ("${none}", ""),
            ("$a {a} $ $$", "$a {a} $ $"),
            ("$${a}", "${a}"),
            ("${none:=d}${none:-e}${none=f}${a:+g}", "defhello world"),
            ("${none:=x${n}y}", "x3y"),
            ("${none:=a:b/c-d}", "a:b/c-d"),
            ("${#a}", "11"),
            ("${a^}${a^^}${a,,}", "Hello worldHELLO WORLDhello world"),
            ("${a:6}${a:0:1}${a:-5}", "worldhhello world"),
            (
                "${a/o/0} ${a//o/0} ${a/#hell/H} ${a/%world/w} ${a/o/}",
                "hell0 world hell0 w0rld Ho world hello w hell world",
            ),
            (
                "${path##*/} ${path#*/} ${path%.*} ${path%%.*}",
                "x.tar.gz usr/lib/x.tar.gz /usr/lib/x.tar /usr/lib/x",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(expand(text, &value).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn malformed_expression_is_an_error() {
        for (text, error) in [
            ("${a", NO_BRACE),
            ("${}", "unable to parse variable name"),
            ("${a-b}", NO_BRACE),
            ("${a/b}", "bad substitution"),
            ("${a:=b", NO_BRACE),
            ("${a:}", NO_ARGUMENT),
            ("${a:0:}", NO_ARGUMENT),
            ("${a%}", NO_ARGUMENT),
            ("${a##}", NO_ARGUMENT),
        ] {
            assert_eq!(expand(text, &value), Err(error), "{text}");
        }
        assert_eq!(expand(&"${a:=".repeat(100), &value), Err("expressions nested too deeply"));
    }
}
