//! Prints `js/kinds.ts`: the names that JavaScript shares with the core.

use kcodec::{Codec, ControlType, ErrorKind};

fn main() {
    println!(
        "// Made from the core by `cargo run -p kcodec-wasm --example kinds`; not to be edited.\n"
    );
    println!("/** Number, name and text of every kind of error. */");
    println!("export const coreKinds = [");
    for kind in ErrorKind::ALL {
        println!("  [{}, {:?}, {:?}],", kind.number(), kind.name(), kind.message());
    }
    println!("] as const;\n");
    println!("/** The codecs by their numbers. */");
    println!("export const codecNames = {:?} as const;\n", Codec::ALL.map(Codec::name));
    let control = (0..).map_while(|number: i16| {
        let [a, b] = number.to_be_bytes();
        let kind = ControlType::of_key(Some(&[0, 0, a, b]))?;
        (!matches!(kind, ControlType::Unknown(_))).then(|| kind.name())
    });
    println!("/** The types of control records by their numbers. */");
    println!("export const controlNames = {:?} as const;", control.collect::<Vec<_>>());
}
