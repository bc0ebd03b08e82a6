//! `tenbin serve RUN…`: serves the pages of runs on 127.0.0.1.
//!
//! All pages are built before the first request, so that no URL can reach a file.
mod http;
use crate::cli::Serve;
use crate::failure::Failure;
use crate::{console, interrupt, systems};
use http::{Answer, Request, Respond};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use system::template;

/// Only content of the page itself may run or load.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                      img-src data:; font-src data:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

struct Ready {
    name: String,
    /// Verdict, largest cause, advice.
    cells: [String; 3],
    html: String,
}

pub fn serve(args: Serve) -> Result<(), Failure> {
    let mut runs = Vec::new();
    for folder in &args.runs {
        for run in systems::finished_below(folder)? {
            let (name, page) = (run.name(), run.page()?);
            runs.push(Ready { name, cells: cells(&page.head), html: template::of(&page) })
        }
    }
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let bound = TcpListener::bind(address).and_then(|all| Ok((all.local_addr()?.port(), all)));
    let (port, listener) = bound.map_err(|e| {
        Failure::Failed(format!("cannot listen at {address}: {e}. Choose another --port"))
    })?;
    let respond: Respond = Arc::new(move |request| answer(request, &runs, port));
    thread::spawn(move || http::serve(&listener, &respond));
    console::text(&format!("http://127.0.0.1:{port}/\n"))?;
    loop {
        interrupt::check()?;
        thread::sleep(Duration::from_millis(100))
    }
}

/// Summary of the head of a run's page.
fn cells(head: &page::Head) -> [String; 3] {
    let none = || "–".to_string();
    let held = head.held_up.first().map_or_else(none, |held| page::plain(&held.text));
    let act = head.r#do.as_ref().map_or_else(none, |act| page::plain(&act.point));
    [page::plain(&head.verdict), held, act]
}

fn answer(request: &Request, runs: &[Ready], port: u16) -> Answer {
    let [host, origin, site] =
        ["host", "origin", "sec-fetch-site"].map(|name| request.header(name));
    let answer = match (is_own(host, origin, site, port), request.check()) {
        (false, _) => Answer::new(403, "Only browsers on this machine can open this address.\n"),
        (true, Err(refused)) => refused,
        (true, Ok(())) => {
            let (status, text) = page(&request.target, runs);
            Answer::new(status, text)
        }
    };
    let html = ("Content-Type", "text/html; charset=utf-8");
    let text = ("Content-Type", "text/plain; charset=utf-8");
    let own = [
        if answer.status == 200 { html } else { text },
        ("Content-Security-Policy", POLICY),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
    ];
    Answer { headers: [answer.headers, own.to_vec()].concat(), ..answer }
}

/// True for a browser on this machine, unless another site's page sent the request.
fn is_own(host: Option<&str>, origin: Option<&str>, site: Option<&str>, port: u16) -> bool {
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let is_host = |text: &str| hosts.iter().any(|own| own == text);
    let of_own = |origin: &str| origin.strip_prefix("http://").is_some_and(is_host);
    host.is_some_and(is_host)
        && origin.is_none_or(of_own)
        && site.is_none_or(|site| matches!(site, "same-origin" | "none"))
}

/// `/`: the list of runs, or the only run; `/run/N`: a run.
fn page(url: &str, runs: &[Ready]) -> (u16, String) {
    let path = url.split(['?', '#']).next().unwrap_or("");
    let place = path.strip_prefix("/run/").and_then(|n| n.parse::<usize>().ok());
    match (path, place.and_then(|n| runs.get(n.checked_sub(1)?)), runs) {
        ("/", _, [one]) => (200, one.html.clone()),
        ("/", ..) => (200, list(runs)),
        (_, Some(run), _) => (200, run.html.clone()),
        _ => (404, "No such page.\n".into()),
    }
}

fn list(runs: &[Ready]) -> String {
    let escaped = |text: &str| {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
    };
    let line = |(at, run): (usize, &Ready)| {
        let cells: Vec<String> = std::iter::zip(HEADS, &run.cells)
            .map(|(head, said)| format!("<td data-head=\"{head}\">{}</td>", escaped(said)))
            .collect();
        let name = escaped(&run.name);
        let link = format!("<a href=\"/run/{}\">{name}</a>", at + 1);
        format!("<tr><th scope=\"row\">{link}</th>{}</tr>\n", cells.concat())
    };
    let lines: String = runs.iter().enumerate().map(line).collect();
    let heads = HEADS.map(|head| format!("<th>{head}</th>")).concat();
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>Runs · tenbin</title>\n\
         <style>{}{STYLE}</style>\n<p><b>tenbin</b> / runs</p>\n<h1><b>{}</b> runs.</h1>\n\
         {FILTER}<table>\n<thead><tr><th>Run</th>{heads}</tr></thead>\n<tbody>{lines}</tbody>\
         </table>\n</html>\n",
        template::fonts(),
        runs.len()
    )
}

/// Columns after the run's name.
const HEADS: [&str; 3] = ["What happened", "Held up by", "Do"];

const FILTER: &str = "\
<input type=\"search\" placeholder=\"Filter runs\" aria-label=\"Filter runs\">
<script>addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(' ')
  for (const row of document.querySelectorAll('tbody tr'))
    row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word))
})</script>
";

const STYLE: &str = "
:root{--page:#fff;--ink:#15181d;--ink2:#474c56;--ink3:#696f7a;--rule:#e1e3e7;color-scheme:light}
@media (prefers-color-scheme:dark){:root{--page:#15171b;--ink:#eceef1;--ink2:#b9bec8;
--ink3:#8f96a1;--rule:#2e3239;color-scheme:dark}}
body{font:400 15px/22px Inter,system-ui,sans-serif;color:var(--ink);background:var(--page);
max-width:1776px;margin:0 auto;padding:0 32px 40px}
p{font-size:13px;line-height:47px;margin:0;color:var(--ink3);border-bottom:1px solid var(--rule)}
p b{color:var(--ink)}
h1{font-size:29px;line-height:36px;font-weight:500;letter-spacing:-.021em;margin:24px 0 12px}
h1 b{font-weight:680}
input{font:inherit;color:inherit;background:none;border:1px solid var(--rule);border-radius:4px;
padding:5px 10px;margin-bottom:12px;width:100%;max-width:360px;box-sizing:border-box}
tr[hidden]{display:none!important}
table{border-collapse:collapse;border-top:1px solid var(--ink)}
th,td{text-align:left;vertical-align:top;padding:9px 32px 9px 0;color:var(--ink2);
border-bottom:1px solid var(--rule);overflow-wrap:anywhere;min-width:16ch}
thead th{font-size:12px;font-weight:400;color:var(--ink3)}
th{font-weight:600}
td:nth-child(2){color:var(--ink)}
a{color:var(--ink);text-decoration-color:var(--ink3);text-underline-offset:3px}
@media (max-width:720px){body{padding:0 20px 32px}thead{display:none}tr{display:block;
border-bottom:1px solid var(--rule);padding:8px 0}th,td{display:block;border:0;padding:2px 0}
td::before{content:attr(data-head);display:block;font-size:12px;color:var(--ink3)}}
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_hosts_and_sites_are_refused() {
        let own = Some("127.0.0.1:80");
        assert!(is_own(own, None, None, 80));
        assert!(is_own(Some("localhost:80"), Some("http://localhost:80"), Some("same-origin"), 80));
        assert!(!is_own(None, None, None, 80));
        assert!(!is_own(Some("evil.example:80"), None, None, 80), "DNS rebinding");
        assert!(!is_own(own, Some("https://evil.example"), None, 80));
        assert!(!is_own(own, Some("null"), None, 80));
        assert!(!is_own(own, None, Some("cross-site"), 80));
    }

    #[test]
    fn no_address_leads_to_a_file() {
        let run = |name: &str| {
            let (name, html) = (name.to_string(), name.to_string());
            Ready { name, cells: ["slow <", "disks", "more"].map(String::from), html }
        };
        let runs = [run("a"), run("<b>")];
        assert_eq!(page("/run/2?x#y", &runs), (200, "<b>".into()));
        assert!(page("/", &runs).1.contains("&lt;b&gt;"));
        for said in ["slow &lt;", "disks", "more"] {
            assert!(page("/", &runs).1.contains(said), "what held each up, and what to do");
        }
        for path in ["/run/0", "/run/3", "/../etc/passwd", "/run/..%2f1", "//", ""] {
            assert_eq!(page(path, &runs).0, 404, "{path}");
        }
    }
}
