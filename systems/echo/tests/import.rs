//! `tenbin import echo`: a scenario of measured times, or the line that is wrong.
use echo::ECHO;
use std::fs;
use std::path::Path;
use system::Failure;
use system::lab::Lab;
use units::Nanos;

fn import(name: &str, text: &str) -> Result<Nanos, Failure> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [file, out] = ["txt", "toml"].map(|kind| folder.join(format!("{name}.{kind}")));
    fs::write(&file, text).unwrap();
    let words = ["echo".as_ref(), file.as_os_str(), "-o".as_ref(), out.as_os_str()];
    let action = ECHO.imports[0];
    action.run(&action.command().get_matches_from(words))?;
    Ok(Lab::of(&ECHO)?.read(&out, &[])?.time("server.time"))
}

#[test]
fn measured_times_make_a_scenario_of_their_mean() {
    assert_eq!(import("right", "0.001\n 0.002\n").unwrap(), Nanos::micros(1_500));
}

#[test]
fn a_wrong_line_is_named() {
    for (name, text, place) in [
        ("word", "0.001\nfast\n", "word.txt:2: "),
        ("zero", "0\n", "zero.txt:1: "),
        ("none", "", "none.txt: 0 bytes"),
    ] {
        let Err(Failure::BadInput(why)) = import(name, text) else { panic!("{name} is taken") };
        assert!(why.contains(place), "{why}")
    }
}
