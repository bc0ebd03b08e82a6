//! Recognises files that users mistake for histories, and advises what to do.
use import::{InputSpec, Issue, issue};

pub const WANTED: InputSpec = InputSpec::new(
    "a .jhist file, which begins with Avro-Binary or Avro-Json, or a history of Hadoop 1, which \
     begins with Meta VERSION",
    "hdfs dfs -get /mr-history/done",
)
.empty("The file is still being written, or was not flushed yet. ");

const GET: &str = "The history is in HDFS: `hdfs dfs -get /mr-history/done` \
                   (mapreduce.jobhistory.done-dir).";

const OTHER: &str = "Tenbin reads only MapReduce's histories.";

/// Text at the start (`MatchAt::First`) or anywhere in the head (`MatchAt::In`), the file's type,
/// advice.
const KNOWN: &[(MatchAt, &str, &str, &str)] = &[
    (MatchAt::In, "Container: container_", "what yarn logs prints: logs of containers", SYSLOG),
    (MatchAt::In, "LogAggregationType:", "what yarn logs prints: logs of containers", SYSLOG),
    (MatchAt::In, "\"Event\":\"SparkListener", "an event log of Spark", OTHER),
    (MatchAt::In, "org.apache.spark", "a log of Spark", OTHER),
    (MatchAt::In, "SparkContext", "a log of Spark", OTHER),
    (MatchAt::In, "org.apache.tez", "a log of Tez", OTHER),
    (MatchAt::In, "\"entitytype\":\"TEZ_", "a history of Tez", OTHER),
    (MatchAt::In, "\"entity\":\"tez_", "a history of Tez", OTHER),
    (MatchAt::In, "\"entity\":\"dag_", "a history of Tez", OTHER),
    (MatchAt::In, "[HISTORY][DAG:", "a log of Tez", OTHER),
    (MatchAt::First, "{\"archive\":[", "an archive of Flink's JobManager", OTHER),
    (MatchAt::In, "org.apache.flink", "a log of Flink", OTHER),
    (MatchAt::In, "mapreduce.Job: Running job: job_", "what the job's client prints", GET),
    (MatchAt::In, "mapred.JobClient: Running job: job_", "what the job's client prints", GET),
    (MatchAt::First, "Hadoop job: job_", "what mapred job -history prints", GET),
    (MatchAt::First, "{\"hadoopJob\":", "what mapred job -history prints", GET),
    (MatchAt::First, "{\"job\":{", "an answer of the JobHistoryServer", GET),
    (MatchAt::First, "{\"jobs\":", "an answer of the JobHistoryServer", GET),
    (MatchAt::First, "{\"app", "an answer of the ResourceManager", GET),
    (MatchAt::First, "jobId=job_", "a job's summary", GET),
    (MatchAt::In, "\"jobID\" : \"job_", "a job trace of Rumen", GET),
    (MatchAt::First, "<!doctype", "a web page", GET),
    (MatchAt::First, "<html", "a web page", GET),
    (MatchAt::In, "\"sysstat\":", "node curves (sadf -j)", CURVES),
    (
        MatchAt::In,
        "<configuration",
        "a configuration",
        "Give a job's with --conf, next to its history.",
    ),
    (MatchAt::In, "resourcemanager.", "a log of the ResourceManager", "Give it with --rm-log."),
    (MatchAt::In, "org.apache.hadoop.mapred.", "a log of a container", SYSLOG),
    (MatchAt::In, "org.apache.hadoop.mapreduce.", "a log of a container", SYSLOG),
];

const SYSLOG: &str = "Reducers' logs go with the history, with --syslog; the history is in HDFS: \
                      `hdfs dfs -get /mr-history/done`.";

const CURVES: &str = "Import the job's history, then: \
                      `tenbin import node-curves CURVES --into RUN`.";

enum MatchAt {
    First,
    In,
}

/// # Errors
/// The head is that of a known other file type; the error has advice.
pub(super) fn refuse(head: &[u8]) -> Result<(), Issue> {
    let refused = |what: &str, advice: &str| {
        Err(issue(format!("this is {what}"), WANTED.content).advice(advice))
    };
    if head.get(257..262) == Some(b"ustar") {
        return refused("a tar archive", "Unpack it, and name its folder.");
    }
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let begin = |words: &str| {
        text.get(..words.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(words))
    };
    let one = KNOWN.iter().find(|(place, words, ..)| match place {
        MatchAt::First => begin(words),
        MatchAt::In => text.contains(words),
    });
    one.map_or(Ok(()), |(.., what, advice)| refused(what, advice))
}

/// An error with advice if `path` is an address; `None`: it is a path.
pub(super) fn address(path: &str) -> Option<Issue> {
    let (scheme, rest) = path.split_once("://")?;
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    if scheme.is_empty() || !scheme.chars().all(is_scheme) {
        return None;
    }
    let refused =
        |what: &str, advice: String| Some(issue(what, "a local file or folder").advice(advice));
    match scheme.to_ascii_lowercase().as_str() {
        "file" => refused("an address", format!("Give its path: {rest}")),
        "http" | "https" => {
            let web = "a web address: pages of the JobHistoryServer are not histories";
            refused(web, GET.into())
        }
        "har" => refused(
            "an address in a Hadoop archive",
            format!("Copy it here: `hdfs dfs -get {path} .`"),
        ),
        _ => refused(
            "an address of a distributed file system",
            format!("Copy it here: `hdfs dfs -get {path} .`"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_no_history_are_known_by_their_first_words() {
        let tar = [&[b'x'; 257][..], b"ustar\0"].concat();
        let get = "hdfs dfs -get";
        let cases: [(&[u8], &str, &str); 14] = [
            (b"\n\nContainer: container_1_2_01_000001 on n1_45454\n===", "yarn logs", "--syslog"),
            (b"INFO client.RMProxy: x\nContainer: container_1_2", "yarn logs", "--syslog"),
            (b"{\"Event\":\"SparkListenerLogStart\"}", "Spark", "reads only MapReduce"),
            (b"24/01/01 10:00:00 INFO SparkContext: Running", "Spark", "reads only MapReduce"),
            (b"{\"entity\":\"tez_application_1_2\"}", "Tez", "reads only MapReduce"),
            (b"{\"archive\":[{\"path\":\"/jobs/overview\"}]}", "Flink", "reads only MapReduce"),
            (b"<!DOCTYPE html>\n<html>", "a web page", get),
            (b"<?xml version=\"1.0\"?>\n<configuration>", "a configuration", "--conf"),
            (b"jobId=job_1_2,submitTime=1", "a job's summary", get),
            (b"org.apache.hadoop.yarn.server.resourcemanager.X: x", "ResourceManager", "--rm-log"),
            (b"INFO [main] org.apache.hadoop.mapred.YarnChild: x", "a container", "--syslog"),
            (b"24/01/01 INFO mapreduce.Job: Running job: job_1_2", "client prints", get),
            (b"{\n  \"sysstat\": {", "node curves", "tenbin import node-curves"),
            (&tar, "a tar archive", "Unpack"),
        ];
        for (head, what, advice) in cases {
            let said = refuse(head).unwrap_err().to_string();
            assert!(said.contains(what) && said.contains(advice), "{said}");
        }
        assert_eq!(refuse(b"hello"), Ok(()));
    }

    #[test]
    fn addresses_are_told_from_paths() {
        for (path, advice) in [
            ("hdfs://nn/mr-history/done", "hdfs dfs -get hdfs://nn/mr-history/done"),
            ("s3a://b/done", "hdfs dfs -get"),
            ("https://jhs:19888/jobhistory/job/job_1_2", "not histories"),
            ("file:///x/y.jhist", "Give its path: /x/y.jhist"),
        ] {
            let said = address(path).expect(path).to_string();
            assert!(said.contains(advice), "{said}");
        }
        for path in ["/x/y", "a://b/c d".trim_start_matches("a://"), "x y://z", "://x"] {
            assert_eq!(address(path), None, "{path}");
        }
    }
}
