//! Who may import whom: the table of ARCHITECTURE.md against the sources. A new module without a row fails.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

type Imports = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The rows of the table: `None` is everyone.
fn table() -> BTreeMap<String, Option<BTreeSet<String>>> {
    let text = read(&root().join("ARCHITECTURE.md"));
    let section = text.split("## Who may import whom").nth(1).expect("the section");
    let block = section.split("```").nth(1).expect("its table");
    let mut rows = BTreeMap::new();
    for line in block.lines().filter(|line| !line.trim().is_empty()) {
        let columns: Vec<&str> =
            line.split("  ").map(str::trim).filter(|c| !c.is_empty()).collect();
        let [names, _, imports] = columns[..] else { panic!("not three columns: {line}") };
        let list = |text: &str| text.split(", ").map(str::to_owned).collect::<BTreeSet<_>>();
        let imports = match imports {
            "everyone" => None,
            "nothing of ours" => Some(BTreeSet::new()),
            some => Some(list(some)),
        };
        for name in list(names) {
            assert!(rows.insert(name.clone(), imports.clone()).is_none(), "{name} has two rows");
        }
    }
    rows
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// Code without comments, texts and tests. Rough, and enough for these sources: whoever hides an import in a raw string means it.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let mut out = String::new();
    for line in text.lines() {
        let line = match line.find("//") {
            // An address in a text is no comment.
            Some(at) if !line[..at].ends_with(':') => &line[..at],
            _ => line,
        };
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// The first names behind `crate::`, or behind `super::` where that is the crate's root.
fn names_behind(code: &str, prefix: &str) -> BTreeSet<String> {
    let first_name = |text: &str| {
        let name: String =
            text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        name
    };
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            names.insert(first_name(rest));
            continue;
        };
        let (mut depth, mut begins) = (1, true);
        for (i, c) in group.char_indices() {
            if begins && !c.is_whitespace() {
                names.insert(first_name(&group[i..]));
                begins = false;
            }
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => begins = true,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn imports() -> Imports {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&folder, &mut files);
    assert!(files.len() > 50, "{}", files.len());
    let mut found = Imports::new();
    for file in files {
        let inside = file.strip_prefix(&folder).expect("below it");
        let parts: Vec<&str> = inside.iter().filter_map(|part| part.to_str()).collect();
        let module = parts[0].trim_end_matches(".rs").to_owned();
        if matches!(&*module, "lib" | "main") {
            continue;
        }
        let code = code(&read(&file));
        // The module's own file lies one step below the root, every other one two or more.
        let own = parts.len() == 1 || parts[1..] == ["mod.rs"];
        let depth = if own { 1 } else { parts.len() };
        let imports = found.entry(module.clone()).or_default();
        imports.extend(names_behind(&code, "crate::"));
        imports.extend(names_behind(&code, &"super::".repeat(depth)));
        imports.remove(&module);
    }
    found
}

#[test]
fn every_module_imports_what_its_row_allows_and_nothing_else() {
    let (table, found) = (table(), imports());
    let modules: BTreeSet<&String> = found.keys().collect();
    let rows: BTreeSet<&String> = table.keys().collect();
    assert_eq!(modules, rows, "the modules (left) and the rows of ARCHITECTURE.md (right)");
    let lib = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs"));
    for module in modules {
        assert!(lib.contains(&format!("pub mod {module};")), "{module} is not in lib.rs");
    }
    for (module, imports) in &found {
        for import in imports.iter().filter(|import| found.contains_key(*import)) {
            if let Some(allowed) = &table[module] {
                assert!(
                    allowed.contains(import),
                    "{module} imports {import}; ARCHITECTURE.md allows it {allowed:?}"
                );
            }
        }
        // A row that allows more than there is would allow it to everybody who comes later.
        for allowed in table[module].iter().flatten() {
            assert!(imports.contains(allowed), "{module} does not import {allowed} any more");
        }
    }
}

#[test]
fn no_two_modules_import_each_other() {
    let found = imports();
    for (module, imports) in &found {
        for import in imports {
            let back = found.get(import).is_some_and(|others| others.contains(module));
            assert!(!back, "{module} and {import} import each other");
        }
    }
}

#[test]
fn the_crates_depend_on_each_other_as_the_map_says() {
    for (folder, wanted) in [
        ("protocol", &[][..]),
        ("engine", &[]),
        ("book", &["rookery-protocol"]),
        ("firmware", &["rookery-book", "rookery-engine", "rookery-protocol"]),
        ("server", &["rookery-book", "rookery-protocol"]),
    ] {
        let manifest: toml::Table =
            read(&root().join(folder).join("Cargo.toml")).parse().expect("TOML");
        let mut ours: Vec<&str> = ["dependencies", "dev-dependencies", "build-dependencies"]
            .iter()
            .filter_map(|section| manifest.get(*section)?.as_table())
            .flat_map(|section| section.keys())
            .map(String::as_str)
            .filter(|name| name.starts_with("rookery-"))
            .collect();
        ours.sort_unstable();
        ours.dedup();
        assert_eq!(ours, wanted, "{folder}");
    }
}

#[test]
fn the_reader_of_imports_sees_them_all() {
    let code = code(
        "use crate::{\n    api::{Change, RunView},\n    model, // crate::no\n    store::Store,\n};\n\
         /// crate::nor\nfn f() { crate::uci::g(\"tcp://x\"); mycrate::h(); }\n\
         #[cfg(test)]\nmod tests { use crate::app; }\n",
    );
    let names: Vec<String> = names_behind(&code, "crate::").into_iter().collect();
    assert_eq!(names, ["api", "model", "store", "uci"]);
    assert!(names_behind("use super::super::x;", "super::").contains("super"));
    assert!(names_behind("use super::super::x;", "super::super::").contains("x"));
}
