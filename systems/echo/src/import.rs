//! `tenbin import echo FILE -o SCENARIO.toml`: a measured time of service, in seconds, a line.
use clap::{Arg, ArgMatches, Command, value_parser};
use std::path::PathBuf;
use system::{Action, Failure, say};

/// Reads times of service.
pub struct Times;

impl Action for Times {
    fn name(&self) -> &'static str {
        "echo"
    }

    fn command(&self) -> Command {
        let file = || value_parser!(PathBuf);
        Command::new("echo")
            .about("Echo: measured times of service, in seconds, a line each")
            .arg(Arg::new("file").value_name("FILE").required(true).value_parser(file()))
            .arg(Arg::new("out").short('o').long("out").required(true).value_parser(file()))
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        let [file, out] = ["file", "out"]
            .map(|name| arguments.get_one::<PathBuf>(name).expect("clap requires it"));
        let text = std::fs::read_to_string(file)
            .map_err(|e| Failure::BadInput(format!("{}: {e}", file.display())))?;
        let mean =
            mean(&text).map_err(|why| Failure::BadInput(format!("{}:{why}", file.display())))?;
        let scenario = format!(
            "[model]\nsystem = \"echo\"\n\n[cluster]\nclients = 8\n\n[server]\n\
             time = \"{:.0}ns\"\n",
            mean * 1e9
        );
        std::fs::write(out, scenario).map_err(|e| Failure::writing(out, &e))?;
        say::text(&format!("server.time  {mean} s\n{}\n", out.display()))
    }
}

fn mean(text: &str) -> Result<f64, String> {
    let mut times = Vec::new();
    for (line, value) in text.lines().enumerate() {
        match value.trim().parse::<f64>() {
            Ok(time) if time.is_finite() && time > 0.0 => times.push(time),
            _ => {
                return Err(format!("{}: \"{value}\": expected seconds above 0: 0.0005", line + 1));
            }
        }
    }
    if times.is_empty() {
        return Err("1: no line: expected seconds above 0: 0.0005".into());
    }
    Ok(times.iter().sum::<f64>() / times.len() as f64)
}
