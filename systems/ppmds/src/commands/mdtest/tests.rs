use super::scenario;

fn has(input: &str, lines: &[&str]) -> String {
    let text = scenario(input).unwrap_or_else(|why| panic!("{input}: {why:?}"));
    for line in lines {
        assert!(text.lines().any(|l| l == *line), "{line} of {input}: {text}")
    }
    text
}

fn without(input: &str, words: &[&str]) {
    let text = scenario(input).unwrap_or_else(|why| panic!("{input}: {why:?}"));
    for word in words {
        assert!(!text.contains(word), "{word} of {input}: {text}")
    }
}

#[test]
fn a_command_line_is_a_scenario() {
    has(
        "mpirun -np 64 \\\n -ppn 8 /opt/ior/mdtest \\\n'-n' '1000' -uF -N1 -W=30 -w 3901",
        &[
            "clients = 64",
            "items = 1000",
            "items_are = \"files\"",
            "unique = true",
            "stride = 1",
            "stonewall = \"30s\"",
            "# Not of the metadata service, and left out: -w 3901.",
        ],
    );
}

#[test]
fn lines_are_read_as_mdtest_reads_them() {
    for (line, keys) in [
        ("-a DFS -F -C -n 1000 --dfs.pool p1 --dfs.cont c1", &["items = 1000", "stat = false"][..]),
        ("-F -n 10000000000 -W 1", &["items = 4294967295", "stonewall = \"1s\""]),
        ("-n 1000 -B=0 -P", &["items = 1000", "rename = true"]),
        ("-F -n 10k -w 4k", &["items = 10240"]),
        ("-D -U -n 100", &["items_are = \"directories\"", "rename = true", "create = false"]),
        ("-F -u -n 1000 -i 3 -R -L", &["iterations = 3", "items_are = \"files\"", "leaves = true"]),
        (
            "-F -n 1000 > out.txt 2>&1",
            &["items = 1000", "# The shell's, and left out: > out.txt 2>&1."],
        ),
        ("-F -u -n 20000000 -W 1", &["items = 20000000"]),
        ("-z 2 -b 2 -I 20 -u", &["items = 140", "depth = 2", "branch = 2"]),
        ("-z 2 -b 2 -n 1000", &["items = 994"]),
        ("-z 2 -b 2 -n 1000 -L", &["items = 1000", "leaves = true"]),
        ("-n 100 -I 10", &["items = 100", "branch = 10", "depth = 1", "items_per_directory = 10"]),
        ("-n 10 -N 5", &["stride = 1"]),
        ("-n 10 -N 4", &["clients = 4"]),
        ("-F -n 10 -f 1 -l 3 -s 2", &["clients = 3"]),
        ("-F -n 10 -x f -T", &["create = false", "items = 10"]),
        ("-F -n 20000000", &["items = 20000000"]),
        ("-F -n 2000000000", &["items = 2500000"]),
    ] {
        has(&format!("mpirun -np 4 mdtest {line}\n"), keys);
    }
    has(
        "#SBATCH -N 2\n#SBATCH --ntasks-per-node=36\nsrun mdtest -F -n 1\n",
        &["clients = 72", "items_are = \"files\""],
    );
}

const OUTPUT: &str = "\
-- started at 01/02/2024 03:04:05 --

mdtest-4.0.0 was launched with 4 total task(s) on 2 node(s)
Command line used: ./mdtest '-n' '100' '-N' '1'
Shifting ranks by 2 for each phase.
4 tasks, 400 files/directories

SUMMARY rate: (of 1 iterations)
   Operation                     Max            Min           Mean        Std Dev
   ---------                     ---            ---           ----        -------
   Directory creation           3000.000       2000.000       2500.500        100.000
   Directory rename             5000.000       5000.000       5000.000          0.000
   File stat                 :  90000.000      80000.000      85000.000        100.000
   File read                        0.000          0.000          0.000          0.000

SUMMARY time: (of 1 iterations)
   File stat                 :      1.000          2.000          3.000          4.000
-- finished at 01/02/2024 03:04:14 --
";

#[test]
fn rates_are_kept_and_a_phase_that_has_one_is_simulated() {
    has(
        OUTPUT,
        &[
            "measured = \"Directory creation 2500.5, Directory rename 5000, File stat 85000\"",
            "clients = 4",
            "stride = 2",
            "rename = true",
        ],
    );
    without(&OUTPUT.replace("Directory rename", "Directory remove"), &["rename = true"]);
}

#[test]
fn a_stonewall_before_says_how_many_there_were() {
    let stat = "mdtest-3.3.0+dev was launched with 64 total task(s) on 1 node(s)\n\
                Command line used: ./mdtest '-T' '-F' '-P' '-n' '1000000' '-u' '-x' '/m/stone'\n\
                64 tasks, 64000000 files\nSUMMARY rate: (of 1 iterations)\n\
                File stat : 16000.0 16000.0 16000.0 0.0\nSUMMARY time: (of 1 iterations)\n\
                File stat : 20.0 20.0 20.0 0.0\n";
    has(stat, &["items = 5000", "create = false", "measured = \"File stat 16000\""]);
    let without_times = &stat[..stat.find("SUMMARY time").expect("it has one")];
    let text = has(without_times, &["items = 1000000"]);
    assert!(text.contains("may have created fewer than -n 1000000"), "{text}");
    let times_alone = stat.replace("SUMMARY rate", "SUMMARY time");
    without(&times_alone, &["measured = \"File stat 16000\""]);
    let create = "mdtest-4.1.0+dev was launched with 64 total task(s) on 1 node(s)\n\
                  Command line used: ./mdtest '-C' '-F' '-n' '1000000' '-W' '300'\n\
                  64 tasks, 64000000 files\nContinue stonewall hit min: 4 max: 77 avg: 6.2\n\
                  SUMMARY rate (in ops/sec): (of 1 iterations)\nFile creation 9.0 9.0 9.0 0.0\n";
    let text = has(create, &["items = 1000000", "stonewall = \"300s\""]);
    assert!(text.contains("the fastest task had created 77"), "{text}");
}

#[test]
fn a_summary_of_io500_has_tasks_and_scores() {
    let text = "[run]\nprocs           = 640\nversion         = io500-isc24_v3\n\n\
                [mdtest-easy-write]\nexe             = ./mdtest -n 1000 -u -L -F -C -W 300\n\
                rate-stonewall  = 125.6\nscore           = 119.113150\n";
    has(text, &["clients = 640", "measured = \"File creation 119113.15\""]);
    let two = format!("{text}[mdtest-easy-stat]\nexe = ./mdtest -n 1000 -u -F -T\nscore = 1.5\n");
    let (line, why) = scenario(&two).expect_err("two runs");
    assert!(line == 10 && why.contains("2 runs of mdtest: one in line 6"), "{line}: {why}");
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let twice = format!("{OUTPUT}{OUTPUT}");
    for (text, line, why) in [
        ("# nothing\n", 1, "no output of mdtest"),
        ("mdtest -n 10\n", 1, "the number of tasks is unknown"),
        ("#\nmpirun -np 4 mdtest -n ten\n", 2, "-n ten"),
        ("mpirun -np 4 mdtest -Q\n", 1, "-Q"),
        ("mpirun -np 4 mdtest -n\n", 1, "-n: expected a value"),
        ("mpirun -np 4 mdtest fast\n", 1, "\"fast\""),
        ("mpirun -np 4 mdtest -n 10 -I 3\n", 1, "a multiple of -I 3"),
        ("mpirun -np 4 mdtest -n 10 -I 5 -u\n", 1, "only one of the two"),
        ("mpirun -np 4 mdtest -n 3 -z 2 -b 2\n", 1, "as many items as there are directories"),
        ("mpirun -np 0 mdtest -n 3\n", 1, "0 tasks"),
        ("mpirun -np 4 mdtest -F -n 10000000000\n", 1, "or fewer, or -W"),
        ("mpirun -np 9000000 mdtest -F -n 1\n", 1, "cluster.clients"),
        ("mpirun -np 2 mdtest -C -n 3\nmpirun -np 2 mdtest -T -n 3\n", 2, "one in line 1"),
        (&twice, 21, "2 runs of mdtest: one in line 3"),
    ] {
        let (at, said) = scenario(text).expect_err("it is wrong");
        assert!(at == line && said.contains(why), "{text}: {at}: {said}")
    }
}

fn table(tasks: u64, creation: f64, stat: f64) -> String {
    let row = |name: &str, rate: f64| format!("   {name}   {rate} {rate} {rate} 0.0\n");
    format!(
        "{tasks} tasks, 6400 files\nSUMMARY rate: (of 1 iterations)\n{}{}",
        row("File creation", creation),
        row("File stat", stat)
    )
}

#[test]
fn times_of_a_server_follow_from_the_rates_of_few_and_of_many_tasks() {
    let output = |tables: &str| {
        format!(
            "mdtest-4.0.0 was launched with 64 total task(s) on 8 node(s)\nCommand line used: \
             ./mdtest '-F' '-n' '100' '-f' '1' '-l' '64' '-s' '63'\n{tables}"
        )
    };
    let saturated = format!("{}{}", table(1, 500.0, 3_000.0), table(64, 9_000.0, 20_000.0));
    // 1 / 20 000 s less the link's time; 1 / 500 s less the round trip with that start-up.
    has(
        &output(&saturated),
        &[
            "startup = \"49.6us\" # fitted to File stat 20000/s of 64 tasks",
            "latency = \"1.69ms\" # fitted to File creation 500/s of 1 task",
        ],
    );
    let grows = format!("{}{}", table(1, 500.0, 3_000.0), table(64, 30_000.0, 28_000.0));
    without(&output(&grows), &["startup"]);
    let busy = format!("{}{}", table(32, 9_000.0, 19_000.0), table(64, 9_000.0, 20_000.0));
    has(&output(&busy), &["startup = \"49.6us\" # fitted to File stat 20000/s of 64 tasks"]);
    without(&output(&busy), &["read_latency"]);
    // A slow store or a busy server: one rate does not show which.
    without(&output(&table(64, 4_000.0, 30_000.0)), &["fitted"])
}
