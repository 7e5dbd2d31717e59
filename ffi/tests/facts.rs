//! Facts that stand in more than one file of the C ABI, read from each.

use std::collections::BTreeSet;

use kcodec_core::ErrorKind;

const HEADER: &str = include_str!("../../include/kcodec.h");
const MANIFEST: &str = include_str!("../Cargo.toml");
const DOCS: &str = include_str!("../../docs/abi.md");
const EXAMPLES: [&str; 2] =
    [include_str!("../../examples/c/wrong.c"), include_str!("../../examples/c/inspect.c")];

/// The words after `#define NAME`.
fn defined(name: &str) -> &'static str {
    let line = HEADER.lines().find_map(|line| line.strip_prefix(&format!("#define {name} ")));
    line.unwrap_or_else(|| panic!("{name} is not defined"))
}

#[test]
fn the_header_has_every_status_and_no_other() {
    for kind in ErrorKind::ALL {
        let line = defined(&format!("KCODEC_E_{}", kind.name()));
        assert_eq!(line, format!("({}) /* {} */", kind.number(), kind.message()));
    }
    let count = HEADER.lines().filter(|line| line.starts_with("#define KCODEC_E_")).count();
    assert_eq!(count, ErrorKind::ALL.len());
}

#[test]
fn the_library_is_versioned_by_the_abi() {
    let library = MANIFEST.split("[package.metadata.capi.library]").nth(1).unwrap();
    assert!(library.contains(&format!("version = \"{}.0.0\"", defined("KCODEC_ABI"))));
    assert!(DOCS.contains(&format!("libkcodec.so.{}`", defined("KCODEC_ABI"))));
}

#[test]
fn the_symbols_are_the_functions_of_the_header() {
    let declared: BTreeSet<_> = HEADER
        .lines()
        .filter(|line| !line.starts_with([' ', '/', '#']) && !line.starts_with("KCODEC_"))
        .filter_map(|line| line.split_once('(').map(|(start, _)| start))
        .filter_map(|start| start.rsplit([' ', '*']).next())
        .filter(|name| name.starts_with("kcodec_"))
        .collect();
    let listed: BTreeSet<_> = include_str!("../kcodec.symbols").lines().collect();
    assert_eq!(declared, listed);
    assert!(listed.len() > 40);
}

#[test]
fn cmake_links_what_rust_needs() {
    let libraries = include_str!("../native-static-libs.txt").trim().replace(' ', ";");
    let libraries = libraries.replace("-l", "");
    assert!(include_str!("../cmake/kcodecConfig.cmake").contains(&format!("\"{libraries}\"")));
}

/// Every block of C in the docs stands in an example, up to its indentation.
#[test]
fn the_docs_quote_what_is_run() {
    let plain = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join("\n")
    };
    let examples = EXAMPLES.map(plain);
    let blocks: Vec<_> =
        DOCS.split("```c\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 7);
    for block in blocks {
        assert!(examples.iter().any(|example| example.contains(&plain(block))), "{block}");
    }
    assert!(DOCS.lines().count() <= 150);
}
