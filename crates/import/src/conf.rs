//! A daemon's configuration from its `/conf` page, JSON or XML: every property, with the file that
//! sets it.
use crate::error::{ImportError, Issue, issue};
use crate::input_spec::InputSpec;
use crate::json::wrong;
use crate::read_all::bytes;
use crate::site::{self, Property, Site};
use crate::source::{Input, OnProgress};
use serde_json::Value;
use std::collections::BTreeMap;

/// Largest page \[bytes\].
const LARGEST: u64 = 64 << 20;

/// A site file, or a `/conf` page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Conf {
    pub site: Site,
    /// Property to the file that sets it, if the page states it: "ozone-default.xml",
    /// "ozone-site.xml".
    pub sources: BTreeMap<String, String>,
}

impl Conf {
    /// Whether a `-default.xml` file sets the property.
    pub fn is_default(&self, name: &str) -> bool {
        self.sources.get(name).is_some_and(|file| file.ends_with("-default.xml"))
    }
}

/// Reads a site file or a `/conf` page. Fails like [`site::read`], and for JSON without properties.
pub fn read(
    input: &Input,
    wanted: &InputSpec,
    tell: &mut OnProgress<'_>,
) -> Result<Conf, ImportError> {
    let bytes = bytes(input, wanted, LARGEST, tell)?;
    let page = if bytes.trim_ascii_start().starts_with(b"{") {
        of_json(&bytes, wanted)
    } else if matches!(input, Input::File(_)) && memchr::memmem::find(&bytes, SOURCE).is_none() {
        return Ok(Conf { site: site::read(input, wanted, tell)?, ..Conf::default() });
    } else {
        of_xml(&bytes, wanted)
    };
    page.map_err(|issue| issue.at(&input.name(), None))
}

/// Only `/conf` has this element.
const SOURCE: &[u8] = b"<source>";

fn of_xml(bytes: &[u8], wanted: &InputSpec) -> Result<Conf, Issue> {
    let site = site::parse(bytes, wanted)?;
    let text = String::from_utf8_lossy(bytes);
    let within = |property: &str, name: &str| {
        let (_, rest) = property.rsplit_once(&format!("<{name}>"))?;
        Some(rest.split_once('<')?.0.trim().to_string())
    };
    let of = |property: &str| Some((within(property, "name")?, within(property, "source")?));
    let sources = text.split("<property").skip(1).filter_map(of).collect();
    Ok(Conf { site, sources })
}

/// The format of `Configuration.dumpConfiguration`.
fn of_json(bytes: &[u8], wanted: &InputSpec) -> Result<Conf, Issue> {
    const FORM: &str = "`{\"properties\": [{\"key\": …, \"value\": …}, …]}`";
    let page: Value = serde_json::from_slice(bytes).map_err(|e| wrong(e, "JSON", wanted))?;
    let rows = page.get("properties").and_then(Value::as_array).filter(|rows| !rows.is_empty());
    let rows =
        rows.ok_or_else(|| issue("no properties in the file", FORM).advice(wanted.advice()))?;
    let mut conf = Conf::default();
    for row in rows {
        let text = |field: &str| row.get(field).and_then(Value::as_str).map(str::trim);
        let name = text("key").ok_or_else(|| issue("a property without key", FORM))?.to_string();
        if let Some(file) = text("resource") {
            conf.sources.insert(name.clone(), file.into());
        }
        // A null value means that the property is not set.
        let Some(value) = text("value").map(str::to_string) else { continue };
        let is_final = row.get("isFinal").and_then(Value::as_bool).unwrap_or(false);
        conf.site.properties.push(Property {
            name,
            value,
            is_final,
            line: 1,
            ..Property::default()
        })
    }
    Ok(conf)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: InputSpec = InputSpec::new("/conf of a daemon", "curl -s http://HOST/conf");

    fn page(text: &str) -> Conf {
        let input = Input::Memory { name: "conf".into(), bytes: text.as_bytes().to_vec() };
        read(&input, &WANTED, &mut |_| ()).unwrap()
    }

    #[test]
    fn json_and_xml_say_the_same() {
        let json = page(
            r#"{"properties":[
              {"key":"a.b","value":"5GB","isFinal":false,"resource":"ozone-default.xml"},
              {"key":"c.d","value":" 2 ","isFinal":true,"resource":"/etc/ozone-site.xml"},
              {"key":"e.f","value":null,"isFinal":false,"resource":"ozone-default.xml"}]}"#,
        );
        let xml = page(
            "<configuration>\n<property><name>a.b</name><value>5GB</value><final>false</final>\
             <source>ozone-default.xml</source></property>\n<property><name>c.d</name>\
             <value>2</value><final>true</final><source>/etc/ozone-site.xml</source></property>\n\
             </configuration>",
        );
        for conf in [json, xml] {
            let said: Vec<(&str, &str, bool)> = conf
                .site
                .properties
                .iter()
                .map(|p| (p.name.as_str(), p.value.as_str(), p.is_final))
                .collect();
            assert_eq!(said, [("a.b", "5GB", false), ("c.d", "2", true)]);
            assert!(conf.is_default("a.b") && !conf.is_default("c.d") && !conf.is_default("x"));
        }
    }
}
