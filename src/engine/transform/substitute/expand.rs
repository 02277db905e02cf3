//! Shell expressions in a text, as Flux expands them (`fluxcd/pkg/envsubst`): `${name}`, defaults,
//! and the functions of bash on strings. Only braces count; `$$` is a dollar sign.

/// A closing brace is missing, or an unknown operator precedes it.
const NO_BRACE: &str = "missing closing brace";
/// An operator has no argument, as in `${name%}`.
const NO_ARGUMENT: &str = "unable to parse substitution within function";

/// The maximal nesting of expressions, far above practical use.
const MAX_NESTING: usize = 64;

/// The operators after a name, the longer ones first.
const OPERATORS: [&str; 18] = [
    ":=", ":-", ":?", ":+", "=", ":", ",,", ",", "^^", "^", "//", "/#", "/%", "/", "##", "#", "%%",
    "%",
];

/// The value of a variable by its name, and whether the expression has a default; `None` if it is
/// not known.
pub(super) type VariableLookup<'v> = dyn FnMut(&str, bool) -> Option<String> + 'v;

/// Expands every expression of a text. An expression whose value is not known is kept as written.
///
/// # Errors
/// An expression is malformed.
pub(super) fn expand(text: &str, value: &mut VariableLookup<'_>) -> Result<String, &'static str> {
    let mut reader = SubstitutionReader { rest: text, value, depth: 0 };
    let mut out = String::with_capacity(text.len());
    while !reader.rest.is_empty() {
        out.push_str(&reader.read_piece("", false)?);
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

struct SubstitutionReader<'t, 'v> {
    rest: &'t str,
    value: &'t mut VariableLookup<'v>,
    depth: usize,
}

impl SubstitutionReader<'_, '_> {
    /// Takes a text that comes next; false if another text does.
    fn take(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn is_at_end(&self) -> bool {
        self.rest.starts_with('}')
    }

    /// Reads one expression, or the plain text before the next expression or one of these
    /// characters.
    fn read_piece(&mut self, ends: &str, inside: bool) -> Result<String, &'static str> {
        if self.take("${") {
            return self.expression();
        }
        let mut out = String::new();
        while let Some(next) = self.rest.chars().next().filter(|_| !self.rest.starts_with("${")) {
            let is_escape = |sign: &&str| self.rest.starts_with(*sign);
            let escaped = ["$$", "\\/", "\\\\"][..if inside { 3 } else { 1 }].iter().any(is_escape);
            if !escaped && ends.contains(next) {
                break;
            }
            let mut signs = self.rest.chars();
            if escaped {
                signs.next();
            }
            out.extend(signs.next());
            self.rest = signs.as_str();
        }
        Ok(out)
    }

    /// Reads an argument, one piece of the text; fails if the expression ends before it.
    fn argument(&mut self, ends: &str) -> Result<String, &'static str> {
        if self.is_at_end() { Err(NO_ARGUMENT) } else { self.read_piece(ends, true) }
    }

    fn close(&mut self) -> Result<(), &'static str> {
        if self.take("}") { Ok(()) } else { Err(NO_BRACE) }
    }

    fn name(&mut self) -> Result<String, &'static str> {
        let end = self.rest.find(|c: char| !is_name(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        if name.is_empty() { Err("unable to parse variable name") } else { Ok(name.to_owned()) }
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
        if self.take("#") {
            let name = self.name()?;
            self.close()?;
            return Ok((self.value)(&name, false).map(|value| value.len().to_string()));
        }
        let name = self.name()?;
        let operator = OPERATORS.into_iter().find(|it| self.take(it)).unwrap_or_default();
        let has_default = matches!(operator, ":=" | ":-" | ":?" | ":+" | "=");
        let known = (self.value)(&name, has_default);
        let is_known = known.is_some();
        let value = known.unwrap_or_default();
        let text = match operator {
            ":=" | ":-" | ":?" | ":+" | "=" => self.default(value)?,
            ":" => self.part(&value)?,
            "," | ",," | "^" | "^^" => self.convert_case(&value, operator)?,
            "/" | "//" | "/#" | "/%" => self.replace(&value, operator)?,
            "#" | "##" | "%" | "%%" => self.trim(&value, operator)?,
            _ => self.close().map(|()| value)?,
        };
        Ok(is_known.then_some(text))
    }

    /// Reads a default: Flux treats `:=`, `:-`, `:?`, `:+` and `=` alike.
    fn default(&mut self, value: String) -> Result<String, &'static str> {
        let mut default = String::new();
        while !self.rest.is_empty() && !self.is_at_end() {
            default.push_str(&self.read_piece("}", true)?);
        }
        self.close()?;
        Ok(if value.is_empty() { default } else { value })
    }

    /// Expands `${name:from:count}`: a part of the value.
    fn part(&mut self, value: &str) -> Result<String, &'static str> {
        let from = self.argument(":}")?;
        let count = if self.take(":") { Some(self.argument("}")?) } else { None };
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
    fn convert_case(&mut self, value: &str, operator: &str) -> Result<String, &'static str> {
        self.close()?;
        let first = value.chars().next().map_or(0, char::len_utf8);
        let (head, tail) = value.split_at(if operator.len() > 1 { value.len() } else { first });
        let is_upper = operator.starts_with('^');
        let head = if is_upper { head.to_uppercase() } else { head.to_lowercase() };
        Ok(head + tail)
    }

    /// Expands `${name/old/new}`: the value with the first `old` replaced; with `//` all of them,
    /// with `/#` one at the beginning, with `/%` one at the end.
    fn replace(&mut self, value: &str, operator: &str) -> Result<String, &'static str> {
        let old = self.read_piece("/", true)?;
        if !self.take("/") {
            return Err("bad substitution");
        }
        let has_new = !self.is_at_end();
        let new = if has_new { self.read_piece("}", true)? } else { String::new() };
        self.close()?;
        let replaced = match operator {
            "/#" => value.strip_prefix(&*old).map(|rest| format!("{new}{rest}")),
            "/%" => value.strip_suffix(&*old).map(|rest| format!("{rest}{new}")),
            "//" => return Ok(value.replace(&old, &new)),
            _ => return Ok(value.replacen(&old, &new, 1)),
        };
        Ok(replaced.filter(|_| has_new).unwrap_or_else(|| value.to_owned()))
    }

    /// Expands `${name#pattern}`, `##`, `%` and `%%`: the value without the shortest or longest
    /// matching prefix (`#`) or suffix (`%`).
    fn trim(&mut self, value: &str, operator: &str) -> Result<String, &'static str> {
        let pattern: Vec<char> = self.argument("}")?.chars().collect();
        self.close()?;
        let is_prefix = operator.starts_with('#');
        let split = |at: &usize| {
            let (before, after) = value.split_at(*at);
            if is_prefix { (before, after) } else { (after, before) }
        };
        let fits = |at: &usize| {
            let (cut, _) = split(at);
            !cut.is_empty() && matches(&pattern, &cut.chars().collect::<Vec<_>>())
        };
        let mut places: Vec<usize> = value.char_indices().map(|(at, _)| at).collect();
        places.push(value.len());
        if is_prefix == (operator.len() > 1) {
            places.reverse();
        }
        Ok(places.iter().find(|at| fits(at)).map_or(value, |at| split(at).1).to_owned())
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
            assert_eq!(expand(text, &mut value).as_deref(), Ok(text));
        }
        assert_eq!(expand("${none:=${elsewhere}}${n}", &mut value).as_deref(), Ok("${elsewhere}3"));
        assert_eq!(expand("${elsewhere", &mut value), Err(NO_BRACE));
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
            assert_eq!(expand(text, &mut value).as_deref(), Ok(expected), "{text}");
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
            assert_eq!(expand(text, &mut value), Err(error), "{text}");
        }
        assert_eq!(expand(&"${a:=".repeat(100), &mut value), Err("expressions nested too deeply"));
    }
}
