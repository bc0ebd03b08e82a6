//! Java programs: jars from Maven Central, and a Java to run them.
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use system::{Failure, interrupt};

/// Oldest Java with the options below.
const OLDEST: u32 = 11;

/// Packages that the programs access by reflection.
const OPENED: [&str; 3] = ["lang", "util", "nio"];

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Java {
    java: PathBuf,
    class_path: String,
}

impl Java {
    /// Finds Java, and downloads by Maven the jars of a Hadoop version, using a POM with the
    /// property `hadoop.version`. `jar` precedes all others; `folder`: Maven's working folder.
    ///
    /// # Errors
    /// Bad input: no Java, no Maven, no such version, no such jar.
    pub fn find(
        pom: &str,
        version: &str,
        jar: Option<&Path>,
        folder: &Path,
    ) -> Result<Java, Failure> {
        let java = java()?;
        let jar = jar.map(whole).transpose()?.unwrap_or_default();
        fs::create_dir_all(folder).map_err(|e| Failure::writing(folder, &e))?;
        let file = folder.join("pom.xml");
        fs::write(&file, pom).map_err(|e| Failure::writing(&file, &e))?;
        let mut maven = Command::new("mvn");
        maven
            .args(["-B", "-q", "-Dstyle.color=never", "-f"])
            .arg(&file)
            .arg(format!("-Dhadoop.version={version}"));
        maven.arg("package");
        let done = said(&mut maven).map_err(|e| match e.kind() {
            ErrorKind::NotFound => Failure::BadInput(
                "`mvn`, which loads the jars, is missing: `apt-get install maven`".into(),
            ),
            _ => Failure::Failed(format!("mvn: {e}")),
        })?;
        interrupt::check()?;
        let list = folder.join("target/classpath.txt");
        match fs::read_to_string(&list) {
            Ok(text) if done.status.success() => {
                let class_path = jar + text.trim();
                let _ = fs::remove_dir_all(folder.join("target"));
                Ok(Java { java, class_path })
            }
            _ => Err(Failure::BadInput(format!(
                "--hadoop {version}: Maven has no such Hadoop, or cannot reach Central: {}",
                reason(&String::from_utf8_lossy(&done.stdout))
            ))),
        }
    }

    pub fn class_path(&self) -> &str {
        &self.class_path
    }

    /// Command line of a program with this heap \[MiB\] and the settings of folder `conf`.
    pub fn line(&self, conf: &Path, megabytes: u32, class: &str, args: &[&str]) -> Vec<String> {
        let opened =
            OPENED.map(|package| format!("--add-opens=java.base/java.{package}=ALL-UNNAMED"));
        let mut line = vec![self.java.display().to_string()];
        line.extend(opened);
        // Serial GC: with many nodes on one machine, parallel GC would start a thread per CPU for
        // each.
        line.extend([format!("-Xmx{megabytes}m"), "-XX:+UseSerialGC".into(), "-cp".into()]);
        line.push(format!("{}:{}", conf.display(), self.class_path));
        line.push(class.into());
        line.extend(args.iter().map(ToString::to_string));
        line
    }
}

/// Absolute path of a jar, with the separator of a class path.
fn whole(jar: &Path) -> Result<String, Failure> {
    let path = fs::canonicalize(jar);
    let path = path.map_err(|e| Failure::BadInput(format!("--jar {}: {e}", jar.display())))?;
    Ok(format!("{}:", path.display()))
}

fn said(command: &mut Command) -> std::io::Result<Output> {
    command.stdin(Stdio::null()).output()
}

/// From `$JAVA_HOME`, else from the path.
fn java() -> Result<PathBuf, Failure> {
    let home = std::env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin/java"));
    let java = home.filter(|java| java.is_file()).unwrap_or_else(|| "java".into());
    let said = said(Command::new(&java).arg("-version")).ok();
    let text = said.map(|said| String::from_utf8_lossy(&said.stderr).into_owned());
    match text.as_deref().and_then(major) {
        Some(version) if version >= OLDEST => Ok(java),
        Some(version) => Err(Failure::BadInput(format!(
            "{} is Java {version}: expected {OLDEST} or later; set JAVA_HOME",
            java.display()
        ))),
        None => Err(Failure::BadInput(
            "`java` is missing: `apt-get install openjdk-17-jre-headless`, or set JAVA_HOME".into(),
        )),
    }
}

/// Major version from `java -version`: 17 of `openjdk version "17.0.15" …`, 8 of `java version
/// "1.8.0_402"`.
fn major(text: &str) -> Option<u32> {
    let version = text.split('"').nth(1)?;
    let mut numbers = version.split(['.', '_', '-', '+']).map(str::parse::<u32>);
    match numbers.next()?.ok()? {
        1 => numbers.next()?.ok(),
        first => Some(first),
    }
}

fn reason(text: &str) -> String {
    let mut wrong = text.lines().filter(|line| line.contains("ERROR"));
    wrong.next().unwrap_or("no output").trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_java_says_its_version_in_quotes() {
        for (text, version) in [
            ("openjdk version \"17.0.15\" 2025-04-15\nOpenJDK Runtime …", Some(17)),
            ("java version \"1.8.0_402\"", Some(8)),
            ("openjdk version \"21\" 2023-09-19", Some(21)),
            ("openjdk version \"26-ea\" 2026-03-17", Some(26)),
            ("The operation couldn’t be completed", None),
        ] {
            assert_eq!(major(text), version, "{text}")
        }
    }
}
