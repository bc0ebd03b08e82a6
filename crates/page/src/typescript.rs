//! Generates the UI's types, `ui/src/page.ts`, from the Rust types.
use crate::*;
use std::path::Path as File;
use ts_rs::TS;

const HEAD: &str = "/** A page as blocks, as `crates/page` writes it. Written from the Rust types: \
                    never edit it, but\n * run `TENBIN_BLESS=1 cargo test -p page --lib`. */\n";

/// A declaration, and the types that it uses.
struct Declared {
    text: String,
    uses: Vec<String>,
}

/// In reading order.
fn all() -> Vec<Declared> {
    macro_rules! declare {
        ($($name:ident)*) => { vec![$(declared::<$name>()),*] };
    }
    declare! {
        Page Below Head Holder Do Certainty Level Assumed AssumedRow Foot Provenance Link Style Span
        Kind Role Unit Axis Moment Section Width Empty Body
        Curves Panel Capacity Line Flag Shares Share Behind Path Step Heat HeatGroup HeatRow
        Gantt GanttGroup GanttColumn Legend GanttRow BarStyle Bar
        Balance BalancePanel BalanceRow Latency Distribution Scatter Origin Points Point
        Trade Mean TradePoint Threads Thread
        Table Column Align Tone Cell Row List ListColumn Choose Entry
        Matrix MatrixRow Part MatrixCell
        Claims ClaimRow Strip StripPoint
        Fleet FleetNode FleetResource FleetCause Envelope Operations
    }
}

/// Without docs: these are in Rust only.
fn declared<T: TS + 'static>() -> Declared {
    let body = format!(" & ({})", bare(&Body::inline()));
    let line = format!("export {}", bare(&T::decl()).replace(&body, " & Body"));
    let text = laid_out(&line);
    let uses = T::dependencies().into_iter().map(|used| used.ts_name).collect();
    Declared { text, uses }
}

/// Without comments, in one line; `bigint` becomes `number`, exact below 2⁵³.
fn bare(declaration: &str) -> String {
    let code = |part: &str| part.rsplit("*/").next().expect("a part").to_string();
    let parts: Vec<String> = declaration.split("/**").map(code).collect();
    parts
        .concat()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace(", }", " }")
        .replace("bigint", "number")
}

/// One line of up to 100 columns, else one line per field or variant.
fn laid_out(line: &str) -> String {
    if line.len() <= 100 {
        return format!("{line}\n");
    }
    let (mut out, mut depth) = (String::new(), 0);
    let union = line.contains("} |") || line.contains("} & {") || line.contains("} & C");
    for letter in line.chars() {
        match letter {
            '{' | '<' | '[' => depth += 1,
            '}' | '>' | ']' => depth -= 1,
            _ => {}
        }
        match letter {
            '}' if !union && depth == 0 => out.push_str(",\n}"),
            '|' if union && depth == 0 => out.push_str("\n  |"),
            '{' if !union && depth == 1 => out.push_str("{\n "),
            ',' if !union && depth == 1 => out.push_str(",\n "),
            _ => out.push(letter),
        }
    }
    let ends = out.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").replace(" ,\n", ",\n");
    ends + "\n"
}

#[test]
fn the_screens_types_are_these() {
    let file = File::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/page.ts");
    let types: Vec<String> = all().into_iter().map(|declared| declared.text).collect();
    let wanted = format!("{HEAD}\n{}", types.concat());
    if std::env::var_os("TENBIN_BLESS").is_some() {
        std::fs::write(&file, wanted).expect("ui/src/page.ts can be written");
        return;
    }
    let found = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(found == wanted, "ui/src/page.ts is out of date: run with TENBIN_BLESS=1");
}

#[test]
fn no_type_is_named_but_not_declared() {
    let all = all();
    let declared = |name: &str| {
        let text = format!("export type {name} ");
        all.iter().any(|declared| declared.text.contains(&text))
    };
    for name in all.iter().flat_map(|declared| &declared.uses) {
        assert!(declared(name), "{name} is not declared");
    }
}
