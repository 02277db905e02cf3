//! Finds the places in a file that can be mutated, by its syntax.

use std::collections::BTreeSet;
use std::ops::Range;

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Stmt};

/// A range of the text and its replacement. `MUTANT` in `planted` becomes the condition that the
/// mutant is on.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) range: Range<usize>,
    pub(crate) line: usize,
    pub(crate) kind: &'static str,
    pub(crate) mutated: String,
    pub(crate) planted: String,
}

/// All sites of a file; they may overlap.
pub(crate) fn sites(text: &str) -> Result<Vec<Site>, syn::Error> {
    let file = syn::parse_file(text)?;
    let mut finder = Finder { text, found: Vec::new(), numbers: numeric_constants(&file) };
    finder.visit_file(&file);
    Ok(finder.found)
}

/// Finds the sites of mutants in a file.
struct Finder<'a> {
    text: &'a str,
    found: Vec<Site>,
    /// Names of integer constants. Their uses can be mutated; their definitions cannot, because
    /// they are evaluated at compile time.
    numbers: BTreeSet<String>,
}

impl Finder<'_> {
    fn of(&self, node: &impl syn::spanned::Spanned) -> &str {
        &self.text[node.span().byte_range()]
    }

    /// Records an expression that is replaced by another one.
    fn swap(&mut self, kind: &'static str, node: &impl syn::spanned::Spanned, mutated: String) {
        let planted = format!("(if MUTANT {{ {mutated} }} else {{ {} }})", self.of(node));
        self.note(kind, node, mutated, planted);
    }

    /// Records a statement that is left out.
    fn drop(&mut self, kind: &'static str, node: &impl syn::spanned::Spanned) {
        let planted = format!("if !MUTANT {{ {} }}", self.of(node));
        self.note(kind, node, String::new(), planted);
    }

    fn note(
        &mut self,
        kind: &'static str,
        node: &impl syn::spanned::Spanned,
        mutated: String,
        planted: String,
    ) {
        let span = node.span();
        self.found.push(Site {
            range: span.byte_range(),
            line: span.start().line,
            kind,
            mutated,
            planted,
        });
    }

    /// Records the negation of a condition.
    fn negate_condition(&mut self, kind: &'static str, condition: &Expr) {
        if !has_let(condition) {
            let mutated = format!("!({})", self.of(condition));
            self.swap(kind, condition, mutated);
        }
    }

    fn binary(&mut self, node: &syn::ExprBinary) {
        let (kind, other) = match node.op {
            BinOp::Lt(_) => ("comparison", "<="),
            BinOp::Le(_) => ("comparison", "<"),
            BinOp::Gt(_) => ("comparison", ">="),
            BinOp::Ge(_) => ("comparison", ">"),
            BinOp::Eq(_) => ("comparison", "!="),
            BinOp::Ne(_) => ("comparison", "=="),
            BinOp::And(_) => ("and, or", "||"),
            BinOp::Or(_) => ("and, or", "&&"),
            BinOp::Add(_) => ("arithmetic", "-"),
            BinOp::Sub(_) => ("arithmetic", "+"),
            _ => return,
        };
        if !has_let(&node.left) && !has_let(&node.right) {
            let mutated = format!("{} {other} {}", self.of(&node.left), self.of(&node.right));
            self.swap(kind, node, mutated);
        }
    }

    /// Records the mutants of a method call: its negation, or the opposite method.
    fn method(&mut self, node: &syn::ExprMethodCall) {
        let name = node.method.to_string();
        if name.starts_with("is_")
            || matches!(&*name, "contains" | "contains_key" | "starts_with" | "ends_with")
        {
            let mutated = format!("!{}", self.of(node));
            self.swap("predicate", node, mutated);
        }
        let other = match &*name {
            "any" => "all",
            "all" => "any",
            "min" => "max",
            "max" => "min",
            "first" => "last",
            "last" => "first",
            _ => return,
        };
        let whole = node.span().byte_range();
        let word = node.method.span().byte_range();
        let mutated = format!(
            "{}{other}{}",
            &self.text[whole.start..word.start],
            &self.text[word.end..whole.end]
        );
        self.swap("method", node, mutated);
    }

    /// Records the mutants of a literal.
    fn literal(&mut self, node: &syn::ExprLit) {
        match &node.lit {
            syn::Lit::Int(number) => {
                let Ok(value) = number.base10_parse::<u128>() else { return };
                let value = if value == 0 {
                    1
                } else if value % 2 == 0 {
                    value + 1
                } else {
                    value - 1
                };
                self.swap("constant", node, format!("{value}{}", number.suffix()));
            }
            syn::Lit::Bool(truth) => self.swap("constant", node, (!truth.value).to_string()),
            _ => {}
        }
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_expr(&mut self, node: &'a Expr) {
        match node {
            Expr::Binary(binary) => self.binary(binary),
            Expr::Unary(syn::ExprUnary { op: syn::UnOp::Not(_), expr, .. }) => {
                let mutated = self.of(expr).to_owned();
                self.swap("not", node, mutated);
            }
            Expr::If(branch) => {
                let kind =
                    if branch.else_branch.is_some() { "swapped branches" } else { "condition" };
                self.negate_condition(kind, &branch.cond);
            }
            Expr::Call(call) if self.of(&call.func) == "Some" => {
                self.swap("some", node, "None".to_owned())
            }
            Expr::MethodCall(call) => self.method(call),
            Expr::Lit(literal) => self.literal(literal),
            Expr::Path(path)
                if path
                    .path
                    .get_ident()
                    .is_some_and(|name| self.numbers.contains(&name.to_string())) =>
            {
                let mutated = format!("{} + 1", self.of(path));
                self.swap("constant", node, mutated);
            }
            _ => {}
        }
        visit::visit_expr(self, node);
    }

    fn visit_arm(&mut self, node: &'a syn::Arm) {
        if let Some((_, guard)) = &node.guard
            && !has_let(guard)
        {
            self.swap("guard", &**guard, "true".to_owned());
        }
        visit::visit_arm(self, node);
    }

    fn visit_block(&mut self, node: &'a syn::Block) {
        for (at, statement) in node.stmts.iter().enumerate() {
            match statement {
                Stmt::Expr(Expr::Call(_) | Expr::MethodCall(_), Some(_)) => {
                    self.drop("dropped call", statement)
                }
                Stmt::Expr(Expr::Try(tried), Some(_))
                    if matches!(&*tried.expr, Expr::Call(_) | Expr::MethodCall(_)) =>
                {
                    self.drop("dropped call", statement);
                }
                Stmt::Expr(Expr::Assign(_), Some(_)) => self.drop("dropped assignment", statement),
                Stmt::Expr(Expr::Binary(sum), Some(_))
                    if matches!(sum.op, BinOp::AddAssign(_) | BinOp::SubAssign(_)) =>
                {
                    self.drop("dropped assignment", statement);
                }
                Stmt::Expr(Expr::Return(_) | Expr::Continue(_) | Expr::Break(_), Some(_))
                    if at + 1 == node.stmts.len() =>
                {
                    self.drop("early return", statement);
                }
                _ => {}
            }
        }
        visit::visit_block(self, node);
    }

    // Not mutated: code that does not run in the program, and code that cannot be an `if`.
    fn visit_attribute(&mut self, _: &'a syn::Attribute) {}
    fn visit_pat(&mut self, _: &'a syn::Pat) {}
    fn visit_type(&mut self, _: &'a syn::Type) {}
    fn visit_generics(&mut self, _: &'a syn::Generics) {}
    fn visit_path(&mut self, _: &'a syn::Path) {}
    fn visit_item_const(&mut self, _: &'a syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'a syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'a syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'a syn::TraitItemConst) {}
    fn visit_item_enum(&mut self, _: &'a syn::ItemEnum) {}
    fn visit_expr_repeat(&mut self, node: &'a syn::ExprRepeat) {
        self.visit_expr(&node.expr);
    }
    fn visit_expr_const(&mut self, _: &'a syn::ExprConst) {}

    fn visit_item_fn(&mut self, node: &'a syn::ItemFn) {
        if !is_left_out(&node.attrs) && node.sig.constness.is_none() {
            visit::visit_item_fn(self, node);
        }
    }

    fn visit_impl_item_fn(&mut self, node: &'a syn::ImplItemFn) {
        if !is_left_out(&node.attrs) && node.sig.constness.is_none() {
            visit::visit_impl_item_fn(self, node);
        }
    }

    fn visit_item_mod(&mut self, node: &'a syn::ItemMod) {
        if !is_left_out(&node.attrs) {
            visit::visit_item_mod(self, node);
        }
    }

    fn visit_item_impl(&mut self, node: &'a syn::ItemImpl) {
        if !is_left_out(&node.attrs) {
            visit::visit_item_impl(self, node);
        }
    }
}

/// True for tests and for code of other operating systems.
fn is_left_out(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        if attribute.path().is_ident("test") {
            return true;
        }
        let syn::Meta::List(list) = &attribute.meta else { return false };
        let words = list.tokens.to_string();
        list.path.is_ident("cfg")
            && ["test", "windows", "macos", "not"]
                .iter()
                .any(|word| words.split(|c: char| !c.is_alphanumeric()).any(|w| w == *word))
    })
}

/// True if an expression contains a `let`, which cannot be negated.
fn has_let(node: &Expr) -> bool {
    /// Whether a `let` was found.
    struct Lets(bool);
    impl<'a> Visit<'a> for Lets {
        fn visit_expr_let(&mut self, _: &'a syn::ExprLet) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
        fn visit_block(&mut self, _: &'a syn::Block) {}
    }
    let mut lets = Lets(false);
    lets.visit_expr(node);
    lets.0
}

/// The names of a file's integer constants.
fn numeric_constants(file: &syn::File) -> BTreeSet<String> {
    let number = |kind: &syn::Type| {
        let syn::Type::Path(path) = kind else { return false };
        path.path.get_ident().is_some_and(|name| {
            matches!(
                &*name.to_string(),
                "usize" | "u8" | "u16" | "u32" | "u64" | "i8" | "i16" | "i32" | "i64" | "isize"
            )
        })
    };
    let constants = file.items.iter().filter_map(|item| match item {
        syn::Item::Const(constant) if number(&constant.ty) => Some(constant.ident.to_string()),
        _ => None,
    });
    constants.collect()
}
