/** The data of one page, as `analysis::report` writes it (systems/hdfs/reading/src/report.rs is its
 * twin). All numbers are computed there; the screen only draws. Times are seconds, counted from
 * what `Report.since` says. */

/** A piece of a sentence. `number` is the one number of the verdict; `key` is a setting's real
 * name. */
export type Span = { t: string; s?: "strong" | "key" | "code" | "number" };

/** What kind of thing held something up; one hue each. */
export type HolderKind = "setting" | "disk" | "network" | "cpu" | "wait" | "unexplained";

export interface Share {
  kind: HolderKind;
  /** Real key with its value ("dfs.heartbeat.interval = 3s"), or "Disk". */
  name: string;
  waited_s: number;
  /** 0–1; whole percents are made by largest remainder (`percent`), so that the column sums to
   * 100. */
  share: number;
  percent: number;
  /** The longest intervals behind the bar. */
  intervals: { label: string; start_s: number; end_s: number }[];
}

export interface Stat {
  mean: number;
  ci95: number;
  min: number;
  max: number;
}

/** In how many seeds blocks are lost, how likely that is (0–1; 95 % interval by Wilson), and how
 * many blocks. */
export interface Loss {
  seeds: number;
  probability: number;
  low: number;
  high: number;
  blocks: Stat;
}

export interface Curve {
  /** Sample i stands at i · step_s. */
  step_s: number;
  median: number[];
  min: number[];
  max: number[];
}

export interface Variant {
  name: string;
  role: "now" | "recommended" | "other";
  seeds: number;
  /** Present where every seed became redundant again. */
  recovery_s: Stat | null;
  per_seed_s: number[];
  /** Paired over seeds; null for "now". */
  against_now: {
    mean: number;
    ci95: number;
    verdict: "faster" | "slower" | "no difference";
  } | null;
  metrics: Record<string, Stat>;
  /** Data loss over seeds; absent where the runs do not count it. */
  loss?: Loss;
  shares: Share[];
  /** Blocks short of replicas or racks. */
  at_risk: Curve;
  /** Of these, blocks whose survivors all stand in one rack. */
  one_rack_only: Curve;
  /** Per live node: load / mean, node by node as in `nodes`; null for nodes not live. */
  balance: {
    send: (number | null)[];
    receive: (number | null)[];
    send_mean_bytes: number;
    receive_mean_bytes: number;
  };
}

export interface HeatRow {
  kind: "disk" | "network" | "cpu";
  /** Place in `drill.racks` or `drill.resources`, for a click. */
  rack: number | null;
  resource: number | null;
  name: string;
  /** Utilisation 0–1 a cell. */
  cells: number[];
  /** Racks: busiest member's mean; single resources: the highest point of `Drill.use`. */
  peak: number;
  mean: number;
  /** Belongs to the rack of the lost node. */
  strong: boolean;
}

export interface HeatGroup {
  title: string;
  columns: [string, string];
  rows: HeatRow[];
}

export interface Drill {
  /** Which run: "now, seed 1". */
  of: string;
  racks: string[];
  nodes: {
    name: string;
    rack: number;
    alive: boolean;
    sent_bytes: number;
    received_bytes: number;
  }[];
  resources: {
    name: string;
    kind: "disk" | "network";
    node: number | null;
    rack: number | null;
    capacity: number;
  }[];
  cell_s: number;
  /** Utilisation in whole percents, row by row as in `resources`; [] where idle throughout or
   * left out. */
  use: number[][];
  /** Transfers in columns of equal length, by start. */
  transfers: {
    block: number[];
    source: number[];
    target: number[];
    source_disk: number[];
    target_disk: number[];
    /** When the wait in the queue ended, when handed out and started, when done. */
    decided_s: number[];
    start_s: number[];
    end_s: number[];
    bytes: number[];
    /** What limited the copy: place in `causes`. */
    cause: number[];
    /** What its longest wait in the queue was for, likewise. */
    held?: number[];
  };
  causes: { kind: HolderKind; name: string }[];
  /** By rack and kind, in place of the resources that were left out. */
  envelopes?: Envelope[];
  /** What all blocks waited for, mean over blocks (the first screen has the last block's path). */
  blocked?: Share[];
}

/** Use of a rack's disks or network, where single resources were left out. Whole percents a cell;
 * empty where idle throughout. */
export interface Envelope {
  /** Place in `racks`. */
  rack: number;
  kind: HolderKind;
  /** How many resources. */
  members: number;
  mean: number[];
  /** Of the busiest of them. */
  max: number[];
}

/** Clients' latencies in a stretch of time; `at_s` is its middle. */
export interface LatencyPoint {
  at_s: number;
  p50_ms: number;
  /** Of fewer than 100 requests their longest. */
  p99_ms: number;
  requests: number;
}

/** What clients waited, over the run of one seed. Stretches without a request have no point; the
 * percentiles of a whole are null of fewer than 100 requests. */
export interface Latencies {
  step_s: number;
  points: LatencyPoint[];
  before_p50_ms: number | null;
  before_p99_ms: number | null;
  /** From the declaration until all is safe. */
  during_p50_ms: number | null;
  during_p99_ms: number | null;
  /** Over seeds, in words. */
  note: Span[];
}

/** A point of a plan: how soon the repair ends, and what clients pay for it. */
export interface TradePoint {
  name: string;
  role: Variant["role"];
  /** Nothing else is both sooner done and gentler. */
  front: boolean;
  needs_plugin: boolean;
  recovery_s: Stat;
  /** Clients' 99th percentile during the repair. */
  p99_ms: Stat;
  /** What held the repair up most, and its hue. */
  limiting: string | null;
  kind: HolderKind;
}

export interface Trade {
  points: TradePoint[];
  /** Clients' 99th percentile before the repair. */
  before_p99_ms: number;
  /** What the wish allows. */
  most_p99_ms: number | null;
  within_s: number | null;
}

/** What one thread of the run itself did, and how long it waited for the others. */
export interface ThreadTime {
  /** "thread 1"; of several processes "rank 1, thread 0". */
  name: string;
  /** Logical processes that are its own. */
  lps: number;
  /** Events that stand. */
  committed: number;
  /** Events that it did before it was certain that they stand, undone ones among them. */
  ahead: number;
  rolled_back: number;
  /** The most events that it could have undone at a time. */
  longest_history: number;
  /** Wall-clock time: at work on what stands, on what was undone, and waiting for the others. */
  worked_s: number;
  undone_s: number;
  waited_s: number;
}

/** Where the wall-clock time of a run on several threads went. */
export interface Parallel {
  /** "conservative". */
  scheduler: string;
  /** Processes. */
  ranks: number;
  /** How often all threads met. */
  rounds: number;
  /** How often logical processes were dealt to threads anew. */
  deals?: number;
  /** How many rounds one thread held alone. */
  alone?: number;
  /** The most memory of the process that wrote this. */
  peak_rss_bytes: number;
  /** What to do about it. */
  sentence: string;
  /** In the order of ranks. */
  threads: ThreadTime[];
}

/** What every screen has at its head and foot. */
export interface Page {
  version: 1;
  screen: string;
  crumbs: string[];
  /** What times are counted from: "since declared dead". */
  since: string;
  /** Doubtful or reduced data, shown as dashed tags: "200 hottest of 4 800 shown". */
  tags: string[];
  provenance: { name: string; value: string }[];
  command: string;
  /** Files beside this one ("Parquet", "Perfetto"), as relative addresses; absent where not
   * written. */
  links?: { name: string; href: string }[];
}

export interface Report extends Page {
  screen: "node-lost";
  facts: Span[][];
  verdict: Span[];
  sub: Span[];
  held_up: Span[][];
  do: { point: Span[]; more: Span[]; command: string | null } | null;
  not_enough: Span[];
  certainty: { level: "high" | "medium" | "low"; reason: Span[] };
  assumed: {
    rows: {
      name: string;
      value: string;
      key: string;
      half_s: number | null;
      now_s: number;
      double_s: number | null;
    }[];
    note: Span[];
  };
  /** The first is "now". */
  variants: Variant[];
  /** A reason written on the risk curve ("at most 78 blocks every 3 s: 39 live nodes ×
   * multiplier 2"). */
  risk_note: string | null;
  /** Absent without clients. */
  foreground?: Latencies;
  /** Of a plan beside clients. */
  trade?: Trade;
  /** Where the time of the run itself went, if it ran on several threads. */
  parallel?: Parallel;
  heat: { of: string; cell_s: number; groups: HeatGroup[] };
  balance_note: Span[];
  /** Nodes to be drawn filled (they share the cause), as places in `drill.nodes`. */
  marked_nodes: number[];
  compare_note: Span[];
  drill: Drill;
  /** Doubtful or reduced data of one chart, as tags in its title line. */
  chart_tags?: Partial<Record<ChartName, string[]>>;
}

export type ChartName = "risk" | "shares" | "heat" | "balance" | "compare" | "drill";
