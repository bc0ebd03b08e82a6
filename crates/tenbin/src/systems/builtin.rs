//! Scenarios in the program itself, so that it answers where no file is.
use super::SYSTEMS;
use crate::failure::Failure;
use std::path::{Path, PathBuf};
use std::{env, fs, io};
use system::{BuiltIn, System};

/// All of them, each with its system.
pub fn built_ins() -> impl Iterator<Item = (&'static System, &'static BuiltIn)> {
    SYSTEMS.all().flat_map(|system| system.scenarios.iter().map(move |scenario| (system, scenario)))
}

/// The one of this name.
///
/// # Errors
/// Bad input: there is none; says what could be meant.
pub fn built_in(name: &str) -> Result<(&'static System, &'static BuiltIn), Failure> {
    find(name).ok_or_else(|| {
        let expected = "expected a name that `tenbin list scenarios` prints";
        Failure::BadInput(format!(
            "no built-in scenario is called {name}: {expected}{}",
            near(name)
        ))
    })
}

/// Puts a file in the place of a built-in scenario's name; a file that is there comes first.
///
/// # Errors
/// Bad input: neither a file nor a name. The file cannot be written.
pub fn to_file(scenario: &mut PathBuf) -> Result<(), Failure> {
    let is_missing = matches!(scenario.try_exists(), Ok(false));
    // A result's folder may well be called as the scenario is.
    if !is_missing && !scenario.is_dir() {
        return Ok(());
    }
    if let Some((_, named)) = scenario.to_str().and_then(find) {
        *scenario = lay_out(named)?;
        return Ok(());
    }
    // What else is wrong with it its reader says.
    if !is_missing {
        return Ok(());
    }
    let stem = cluster::paths::stem(scenario);
    Err(Failure::BadInput(format!(
        "{}: no such file: expected a scenario file, or a name that `tenbin list scenarios` \
         prints{}",
        scenario.display(),
        near(&stem)
    )))
}

/// Writes it to the user's cache, or among temporary files where no cache can
/// be written. The files stay: a result names what its scenario imports.
///
/// # Errors
/// They cannot be written.
fn lay_out(scenario: &BuiltIn) -> Result<PathBuf, Failure> {
    let folder = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || folder("HOME").map(|home| home.join(".cache"));
    let cache = folder("XDG_CACHE_HOME").or_else(home);
    if let Some(file) = cache.and_then(|cache| lay_out_in(&cache, scenario).ok()) {
        return Ok(file);
    }
    let temporary = env::temp_dir();
    lay_out_in(&temporary, scenario).map_err(|e| Failure::writing(&temporary, &e))
}

fn lay_out_in(cache: &Path, scenario: &BuiltIn) -> io::Result<PathBuf> {
    let folder = cache.join("tenbin").join(env!("CARGO_PKG_VERSION")).join("scenarios");
    let file = folder.join(format!("{}.toml", scenario.name));
    write(&file, scenario.text.as_bytes())?;
    Ok(file)
}

/// Whole or not at all: others may read it meanwhile.
fn write(file: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::read(file).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    fs::create_dir_all(file.parent().expect("a file in a folder"))?;
    let draft = file.with_extension(format!("{}.draft", std::process::id()));
    fs::write(&draft, bytes)?;
    fs::rename(draft, file)
}

fn find(name: &str) -> Option<(&'static System, &'static BuiltIn)> {
    built_ins().find(|(_, scenario)| scenario.name == name)
}

fn near(name: &str) -> String {
    let near = cluster::nearest(name, built_ins().map(|(_, scenario)| scenario.name));
    near.map_or(String::new(), |near| format!("; did you mean {near}?"))
}
