//! The place of a cursor in YAML that is being typed, and so may be incomplete: it is found by the
//! indentation of the lines above.

/// A part of the path from the root of a document to a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathPart<'t> {
    Key(&'t str),
    Item,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct YamlCursor<'t> {
    /// The path to the mapping around the cursor.
    pub(super) path: Vec<PathPart<'t>>,
    /// The other keys of that mapping, with the text of their lines after the key.
    siblings: Vec<(&'t str, &'t str)>,
    /// The key whose value is at the cursor; `None` if a key is typed.
    pub(super) key: Option<&'t str>,
    /// The text of the key or value before the cursor.
    pub(super) typed: &'t str,
    pub(super) api_version: Option<&'t str>,
    pub(super) kind: Option<&'t str>,
    /// For a document in a text of several lines, the line of its key, from 0.
    pub(super) header: Option<usize>,
}

#[derive(Clone, Copy)]
struct Line<'t> {
    dash: Option<usize>,
    column: usize,
    key: Option<&'t str>,
    value: &'t str,
}

impl<'t> Line<'t> {
    fn parse(line: &'t str) -> Self {
        let mut column = line.len() - line.trim_start_matches(' ').len();
        let (mut rest, mut dash) = (line.get(column..).unwrap_or_default(), None);
        while let Some(inner) =
            rest.strip_prefix('-').filter(|it| it.is_empty() || it.starts_with(' '))
        {
            dash = dash.or(Some(column));
            rest = inner.trim_start_matches(' ');
            column = line.len() - rest.len();
        }
        let pair = rest.split_once(": ").or_else(|| Some((rest.trim_end().strip_suffix(':')?, "")));
        let (key, value) = pair.map_or((None, rest), |(key, value)| (Some(key), value));
        Self { dash, column, key: key.map(unquoted), value: value.trim() }
    }

    fn filled(line: &'t str) -> Option<Self> {
        let content = line.trim_start();
        (!content.is_empty() && !content.starts_with('#')).then(|| Self::parse(line))
    }

    fn pair(&self) -> Option<(&'t str, &'t str)> {
        self.key.map(|key| (key, self.value))
    }

    fn is_block_scalar(&self) -> bool {
        self.value.starts_with(['|', '>'])
    }
}

fn unquoted(text: &str) -> &str {
    let text = text.split(" #").next().unwrap_or_default().trim();
    let inner = |sign: char| text.strip_prefix(sign)?.strip_suffix(sign);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

impl<'t> YamlCursor<'t> {
    /// The place of a byte of a text; `None` in a comment.
    pub(super) fn find(text: &'t str, byte: usize) -> Option<Self> {
        let before = text.get(..byte)?;
        let number = before.matches('\n').count();
        let typed_line = before.get(before.rfind('\n').map_or(0, |end| end + 1)..)?;
        if typed_line.trim_start().starts_with('#') || typed_line.contains(" #") {
            return None;
        }
        let lines: Vec<&str> = text.lines().collect();
        let own = Line::parse(typed_line);
        let typed = if own.key.is_some() { own.value } else { own.value.trim_start() };
        let mut cursor = Self { key: own.key, typed, ..Self::default() };
        let start = cursor.climb(&lines, number, own);
        cursor.path.reverse();
        cursor.add_siblings_below(&lines, number, own.column);
        cursor.read_type(&lines, start, own);
        Some(cursor)
    }

    /// Collects the path and the siblings from the lines above, and returns the first line of the
    /// document.
    fn climb(&mut self, lines: &[&'t str], number: usize, own: Line<'t>) -> usize {
        // The parent has a smaller column; that of a list may have the column of its dashes.
        let (mut limit, mut in_list) = (own.dash.unwrap_or(own.column), own.dash.is_some());
        let mut is_own_mapping = !in_list;
        if in_list {
            self.path.push(PathPart::Item);
        }
        for (index, text) in lines.iter().enumerate().take(number).rev() {
            if text.starts_with("---") {
                return index + 1;
            }
            let Some(line) = Line::filled(text) else { continue };
            let is_above = line.column < limit || in_list && line.column == limit;
            if line.is_block_scalar() && line.column < limit {
                self.header = Some(index);
                return index + 1;
            }
            if is_own_mapping && line.column == own.column && line.dash.is_none_or(|it| it < limit)
            {
                self.siblings.extend(line.pair());
            }
            match (line.dash, line.key) {
                // An earlier element of the list.
                (Some(dash), _) if in_list && dash == limit => {}
                // The first line of the element around the cursor.
                (Some(dash), _) if !in_list && line.column == limit => {
                    self.path.push(PathPart::Item);
                    (limit, in_list, is_own_mapping) = (dash, true, false);
                }
                (Some(dash), None) if dash < limit => {
                    self.path.push(PathPart::Item);
                    (limit, in_list, is_own_mapping) = (dash, true, false);
                }
                (dash, Some(key)) if is_above => {
                    self.path.push(PathPart::Key(key));
                    (limit, in_list, is_own_mapping) = (line.column, false, false);
                    if let Some(dash) = dash {
                        self.path.push(PathPart::Item);
                        (limit, in_list) = (dash, true);
                    }
                }
                _ => {}
            }
        }
        0
    }

    fn add_siblings_below(&mut self, lines: &[&'t str], number: usize, column: usize) {
        let below = lines.iter().skip(number + 1).take_while(|line| !line.starts_with("---"));
        for line in below.filter_map(|line| Line::filled(line)) {
            if line.column < column || line.dash.is_some_and(|dash| dash < column) {
                return;
            }
            if line.column == column && line.dash.is_none() {
                self.siblings.extend(line.pair());
            }
        }
    }

    pub(super) fn has_sibling(&self, key: &str) -> bool {
        self.siblings.iter().any(|(own, _)| *own == key)
    }

    pub(super) fn sibling(&self, key: &str) -> Option<&'t str> {
        let found = self.siblings.iter().find(|(own, _)| *own == key);
        found.map(|(_, value)| unquoted(value)).filter(|value| !value.is_empty())
    }

    /// Reads the type in the root of the document, which begins at line `start`.
    fn read_type(&mut self, lines: &[&'t str], start: usize, own: Line<'t>) {
        let own_lines = lines.iter().skip(start).take_while(|line| !line.starts_with("---"));
        let filled: Vec<Line<'t>> = own_lines.filter_map(|line| Line::filled(line)).collect();
        let column = filled.first().map_or(own.column, |line| line.column.min(own.column));
        let value = |key: &str| {
            let mut root = filled.iter().take_while(|line| line.column >= column);
            let found = root.find(|line| line.column == column && line.key == Some(key));
            found.map(|line| unquoted(line.value)).filter(|value| !value.is_empty())
        };
        (self.api_version, self.kind) = (value("apiVersion"), value("kind"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path to a cursor at `^`, as `spec.containers[]`, with its siblings.
    fn path(text: &str) -> String {
        let byte = text.find('^').unwrap();
        let text = text.replacen('^', "", 1);
        let Some(cursor) = YamlCursor::find(&text, byte) else { return "none".to_owned() };
        let parts = cursor.path.iter().map(|part| match part {
            PathPart::Key(key) => format!(".{key}"),
            PathPart::Item => "[]".to_owned(),
        });
        let key = cursor.key.map(|key| format!(" {key}={}", cursor.typed)).unwrap_or_default();
        format!(
            "{}{key} | {}",
            parts.collect::<String>(),
            cursor.siblings.iter().map(|it| it.0).collect::<Vec<_>>().join(" ")
        )
    }

    #[test]
    fn path_is_found_by_indentation() {
        let pod = "kind: Pod\nspec:\n  containers:\n  - name: a\n    ports:\n    - containerPort: 1\n      ^\n    image: b\n  - name: c\n";
        assert_eq!(path(pod), ".spec.containers[].ports[] | containerPort");
        let pod = "kind: Pod\nspec:\n  containers:\n  - name: a\n    ^\n    image: b\n  - name: c\nx: y\n";
        assert_eq!(path(pod), ".spec.containers[] | name image");
        assert_eq!(path("spec:\n    a:\n        b: c\n    ^d\n"), ".spec | a");
        assert_eq!(path("a:\n- b\n- ^\n"), ".a[] | ");
        assert_eq!(path("a:\n  - b: c\n    d:\n      e: ^f\n"), ".a[].d e= | ");
        assert_eq!(path("a:\n  b: c\n^\nd: e\n"), " | a d");
        assert_eq!(path("a: b # ^\n"), "none");
        assert_eq!(path("a:\n  b: c\n---\nd:\n  ^\n"), ".d | ");
    }
}
