//! Kept settings of a site file, and notes on the others.
use super::bad_input::{SMALL, with};
use super::support::memory;
use hdfs_trace::ingest::hdfs::Imported;

pub(super) fn site(properties: &str) -> Result<Imported, String> {
    let xml = format!("<?xml version=\"1.0\"?>\n<configuration>\n{properties}\n</configuration>\n");
    with(SMALL, None, None, memory("hdfs-site.xml", xml))
}

pub(super) fn property(name: &str, value: &str) -> String {
    format!("<property><name>{name}</name><value>{value}</value></property>")
}

fn value(xml: &str) -> Vec<(String, String)> {
    site(xml).unwrap().hdfs_site
}

fn pair(key: &str, value: &str) -> Vec<(String, String)> {
    vec![(key.to_string(), value.to_string())]
}

#[test]
fn values_are_kept_by_todays_names() {
    assert_eq!(value(&property("dfs.blocksize", " 256m ")), pair("dfs.blocksize", "256m"));
    assert_eq!(value(&property("dfs.block.size", "1")), pair("dfs.blocksize", "1"), "its old name");
    let empty = site("").unwrap();
    assert!(empty.notes.iter().any(|n| n == "hdfs-site.xml: no property: HDFS's defaults apply"));
    // Settings outside the model are listed, without values that could identify a machine.
    let others = [
        ("dfs.namenode.name.dir", "/data/nn", "(not kept)"),
        ("dfs.namenode.handler.count", "100", "100"),
        ("dfs.permissions", "true", "true"),
        ("dfs.namenode.http-address", "10.0.0.1", "(not kept)"),
        ("hadoop.user", "alice", "(not kept)"),
    ];
    let given = others.map(|(name, value, _)| property(name, value)).concat();
    let listed: Vec<(String, String)> = others
        .map(|(name, _, value)| (name.replace("dfs.permissions", "dfs.permissions.enabled"), value))
        .map(|(name, value)| (name, value.to_string()))
        .to_vec();
    assert_eq!(value(&given), listed);
    let typo = site(&property("dfs.replicaton", "2")).unwrap();
    let said = "hdfs-site.xml:3: Hadoop has no dfs.replicaton and ignores it: did you mean \
                dfs.replication?";
    assert!(typo.hdfs_site.is_empty() && typo.notes.iter().any(|n| n == said), "{:?}", typo.notes);
    let old = site(&property("dfs.balance.bandwidthPerSec", "1048576")).unwrap();
    assert_eq!(old.hdfs_site, pair("dfs.datanode.balance.bandwidthPerSec", "1048576"));
    let said = "dfs.balance.bandwidthPerSec is an old name of dfs.datanode.balance.bandwidthPerSec";
    assert!(old.notes.iter().any(|note| note.contains(said)), "{:?}", old.notes);
    assert_eq!(
        value(
            "<!-- <property> --><property><name>dfs.replication</name>\
             <value><![CDATA[2]]></value><final>true</final></property>"
        ),
        pair("dfs.replication", "2")
    );
}

#[test]
fn one_of_several_holds_and_what_has_no_value_is_told() {
    let rpc = site(&property("dfs.namenode.rpc-address", "nn1.shop:8020")).unwrap();
    assert_eq!(rpc.namenode.as_deref(), Some("nn1.shop:8020"));
    let twice =
        site(&(property("dfs.replication", "2") + &property("dfs.replication", "1"))).unwrap();
    assert_eq!(twice.hdfs_site, pair("dfs.replication", "1"));
    assert!(twice.notes.iter().any(|n| n.contains("is set twice")), "{:?}", twice.notes);
    let locked =
        property("dfs.replication", "2").replace("</value>", "</value><final>true</final>");
    let locked = site(&(locked + &property("dfs.replication", "1"))).unwrap();
    assert_eq!(locked.hdfs_site, pair("dfs.replication", "2"), "as Hadoop has it");
    assert_eq!(locked.finals, ["dfs.replication"]);
    assert!(locked.notes.iter().any(|n| n.contains("first is final")), "{:?}", locked.notes);
    assert_eq!(locked.site_names, [""; 0], "today's name");
    let named = [
        ("dfs.max-repl-streams", "3"),
        ("dfs.block.size", "4194304"),
        ("dfs.blocksize", "8388608"),
        ("dfs.replication", "3"),
    ];
    let named = site(&named.map(|(name, value)| property(name, value)).concat()).unwrap();
    let old = ["dfs.max-repl-streams", "dfs.block.size", "dfs.blocksize"];
    assert_eq!(named.site_names, old, "and both names of what stands by both");
    let included = site("<xi:include xmlns:xi=\"x\" href=\"other.xml\"/>").unwrap();
    let missing = "hdfs-site.xml:3: other.xml, an included file, is missing";
    assert!(included.notes.iter().any(|n| n.contains(missing)), "{:?}", included.notes);
    let attributes = "<property name=\"dfs.replication\" value=\"2\" final=\"true\"/>";
    let attributes = site(attributes).unwrap();
    assert_eq!(attributes.hdfs_site, pair("dfs.replication", "2"), "Hadoop's short form");
    assert_eq!(attributes.finals, ["dfs.replication"]);
    let unset = site("<property><name>dfs.replication</name><value></value></property>").unwrap();
    let left = "hdfs-site.xml:3: dfs.replication has no value: Hadoop ignores it";
    assert!(unset.notes.iter().any(|n| n.contains(left)), "{:?}", unset.notes);
    let variable = site(&property("dfs.replication", "${r}")).unwrap();
    assert!(
        variable.notes.iter().any(|n| n.contains("not resolved")) && variable.hdfs_site.is_empty()
    );
    // Hadoop uses the property of this name anywhere in the file.
    let named = site(&(property("dfs.replication", "${r}") + &property("r", "2"))).unwrap();
    assert_eq!(named.hdfs_site, pair("dfs.replication", "2"));
    assert!(named.notes.iter().all(|n| !n.contains("not resolved")), "{:?}", named.notes);
    let endless = site(&property("dfs.replication", "${dfs.replication}")).unwrap();
    assert!(endless.notes.iter().any(|n| n.contains("not resolved")), "{:?}", endless.notes);
}
