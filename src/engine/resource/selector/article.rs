//! The article of a kind in English.

/// `a Deployment`, `an Ingress`, `an HTTPRoute`: by pronunciation.
pub fn with_article(kind: &str) -> String {
    let mut letters = kind.chars();
    let (first, second) = (letters.next().unwrap_or(' '), letters.next().unwrap_or(' '));
    // An abbreviation is spelled out, so that the name of its first letter decides the article.
    let is_spelt = first.is_ascii_uppercase() && second.is_ascii_uppercase();
    let vowels = if is_spelt { "AEFHILMNORSX" } else { "AEIOaeio" };
    let article = if vowels.contains(first) { "an" } else { "a" };
    format!("{article} {kind}")
}

#[cfg(test)]
mod tests {
    use super::with_article;

    #[test]
    fn article_follows_pronunciation_of_kind() {
        let all = ["a Deployment", "an Ingress", "an HTTPRoute", "a VMAlert", "a UserSignup"];
        for said in all {
            let (_, kind) = said.split_once(' ').unwrap();
            assert_eq!(with_article(kind), said);
        }
    }
}
