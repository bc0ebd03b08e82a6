/** A page as blocks, as `crates/page` writes it. Written from the Rust types: never edit it, but
 * run `TENBIN_BLESS=1 cargo test -p page --lib`. */

export type Page = {
  version: number,
  screen: string,
  head: Head,
  sections: Array<Section>,
  drill: Array<Below>,
  foot: Foot,
  fleet?: Fleet,
};
export type Below = {
  path: string,
  crumb: string,
  link: string | null,
  facts: Array<Array<Span>>,
  sentence: Array<Span>,
  sections: Array<Section>,
};
export type Head = {
  crumbs: Array<string>,
  tags: Array<string>,
  facts: Array<Array<Span>>,
  verdict: Array<Span>,
  sub: Array<Span>,
  held_up: Array<Holder>,
  do: Do | null,
  not_enough: Array<Span>,
  certainty: Certainty,
  assumed: Assumed,
};
export type Holder = { kind: Kind | null, text: Array<Span>, source: string | null };
export type Do = { point: Array<Span>, more: Array<Span>, command: string | null };
export type Certainty = { level: Level, reason: Array<Span> };
export type Level = "low" | "medium" | "high";
export type Assumed = {
  unit: Unit,
  name?: string,
  never?: string,
  rows: Array<AssumedRow>,
  note: Array<Span>,
};
export type AssumedRow = {
  name: string,
  value: string,
  key: string,
  half: number | null,
  now: number,
  double: number | null,
};
export type Foot = { provenance: Array<Provenance>, command: string, links: Array<Link> };
export type Provenance = { name: string, value: string };
export type Link = { name: string, href: string };
export type Style = "strong" | "key" | "code" | "number" | "dim";
export type Span = { t: string, s?: Style, open?: string };
export type Kind = "setting" | "disk" | "network" | "cpu" | "wait" | "risk" | "unexplained";
export type Role = "now" | "recommended" | "other";
export type Unit = string;
export type Axis = { name: string, unit: Unit, from: number, to: number, log: boolean };
export type Moment = { at: number, name: string, kind: Kind | null };
export type Section = {
  id: string,
  title: string,
  qualifier: string,
  tags: Array<string>,
  width: Width,
  wide?: Width,
  empty: Empty | null,
  note: Array<Span>,
} & Body;
export type Width = "third" | "smaller" | "half" | "larger" | "most" | "full";
export type Empty = { why: string, fill: string };
export type Body = { "kind": "curves" } & Curves
  | { "kind": "shares" } & Shares
  | { "kind": "path" } & Path
  | { "kind": "heat" } & Heat
  | { "kind": "gantt" } & Gantt
  | { "kind": "balance" } & Balance
  | { "kind": "latency" } & Latency
  | { "kind": "scatter" } & Scatter
  | { "kind": "trade" } & Trade
  | { "kind": "threads" } & Threads
  | { "kind": "table" } & Table
  | { "kind": "list" } & List
  | { "kind": "matrix" } & Matrix
  | { "kind": "claims" } & Claims
  | { "kind": "note" };
export type Curves = { x: Axis, panels: Array<Panel>, moments: Array<Moment> };
export type Panel = {
  name: string,
  of: string,
  unit: Unit,
  capacity: Capacity | null,
  reading: string,
  lines: Array<Line>,
  reason: string,
};
export type Capacity = { at: number, name: string };
export type Line = {
  name: string,
  role: Role,
  kind: Kind | null,
  x: Array<number>,
  y: Array<number | null>,
  low?: Array<number>,
  high?: Array<number>,
  steps?: boolean,
  area?: boolean,
  dots?: boolean,
  notes?: Array<string>,
  flag?: Flag,
};
export type Flag = { at: number, value: string };
export type Shares = { unit: Unit, head: string, whole: boolean, rows: Array<Share> };
export type Share = {
  kind: Kind | null,
  name: string,
  source: string,
  amount: number | null,
  share: number,
  percent: number,
  at_most: boolean,
  low: number | null,
  overlaps: boolean,
  known: Array<[Kind, number]>,
  label: string,
  intervals: Array<Behind>,
  all?: Link,
};
export type Behind = { label: string, start_s: number, end_s: number };
export type Path = { x: Axis, steps: Array<Step> };
export type Step = {
  from: number,
  to: number,
  kind: Kind | null,
  name: string,
  note: string,
  ticks: Array<number>,
  open: string | null,
};
export type Heat = {
  x: Axis,
  cell: number,
  word: string,
  groups: Array<HeatGroup>,
  moments: Array<Moment>,
};
export type HeatGroup = { title: string, columns: [string, string], rows: Array<HeatRow> };
export type HeatRow = {
  kind: Kind,
  name: string,
  cells: Array<number>,
  peak: number,
  mean: number,
  strong: boolean,
  open: string | null,
};
export type Gantt = {
  x: Axis,
  groups: Array<GanttGroup>,
  columns: Array<GanttColumn>,
  overview: string,
  moments: Array<Moment>,
  legend: Array<Legend>,
};
export type GanttGroup = { title: string, note: string, rows: Array<GanttRow> };
export type GanttColumn = { head: string };
export type Legend = { style: BarStyle | null, kind: Kind | null, name: string };
export type GanttRow = {
  name: string,
  bars: Array<Bar>,
  values: Array<string>,
  critical?: boolean,
  strong?: Array<number>,
  note?: string,
  open?: string,
};
export type BarStyle = "wait" | "held" | "runs" | "solid";
export type Bar = {
  from: number,
  to: number,
  style: BarStyle,
  kind?: Kind,
  ticks?: Array<number>,
  progress?: Array<[number, number]>,
  letters?: string,
  label?: string,
};
export type Balance = {
  panels: Array<BalancePanel>,
  names: Array<string>,
  marked: Array<number>,
  marked_note: string,
  open?: string,
};
export type BalancePanel = {
  title: string,
  centre: string,
  at: number | null,
  unit: Unit,
  head: string,
  limit: number | null,
  rows: Array<BalanceRow>,
};
export type BalanceRow = {
  name: string,
  loads: Array<number | null>,
  value: string,
  label: string,
};
export type Latency = { unit: Unit, series: Array<Distribution> };
export type Distribution = {
  name: string,
  role: Role,
  kind: Kind | null,
  at: Array<number>,
  share: Array<number>,
  p50: number | null,
  p99: number | null,
  count: number,
};
export type Scatter = { x: Axis, y: Axis, series: Array<Points>, diagonal: boolean };
export type Origin = "ours" | "twin" | "document";
export type Points = {
  name: string,
  origin: Origin,
  kind: Kind | null,
  joined: boolean,
  points: Array<Point>,
};
export type Point = { x: number, y: number, low: number | null, high: number | null, name: string };
export type Trade = {
  x: [string, Unit],
  y: [string, Unit],
  better: [string, string],
  hollow: string,
  without: [number, string] | null,
  most_x: number | null,
  most_y: number | null,
  points: Array<TradePoint>,
};
export type Mean = { mean: number, ci95: number };
export type TradePoint = {
  name: string,
  role: Role,
  front: boolean,
  hollow: boolean,
  x: Mean,
  y: Mean,
  limit: string | null,
  kind: Kind,
};
export type Threads = {
  scheduler: string,
  ranks: number,
  rounds: number,
  deals: number,
  alone: number,
  peak_rss_bytes: number,
  sentence: string,
  threads: Array<Thread>,
};
export type Thread = {
  name: string,
  lps: number,
  committed: number,
  ahead: number,
  rolled_back: number,
  longest_history: number,
  worked_s: number,
  undone_s: number,
  waited_s: number,
};
export type Table = { columns: Array<Column>, rows: Array<Row> };
export type Column = { head: string, unit: string, align: Align, digits: number };
export type Align = "left" | "right";
export type Tone = "firm" | "partly" | "against" | "open";
export type Cell = { "is": "text", text: Array<Span>, kind: Kind | null, title?: string }
  | { "is": "number", value: number, ci95: number | null, signed: boolean }
  | { "is": "verdict", verdict: string, tone: Tone, reason: string }
  | { "is": "seeds", values: Array<number> }
  | { "is": "none" }
  | { "is": "unknown" };
export type Row = { role: Role | null, kind?: Kind, cells: Array<Cell>, open: string | null };
export type List = {
  many: string,
  first: string,
  find: string,
  columns: Array<ListColumn>,
  rows: Array<Array<Entry>>,
};
export type ListColumn = {
  id: string,
  head: string,
  align: Align,
  code: boolean,
  down: boolean,
  choose: Choose | null,
};
export type Choose = { id: string, label: string, kinds: boolean };
export type Entry = {
  t: string,
  more?: string,
  by?: number,
  full?: string,
  kind?: Kind,
  open?: string,
};
export type Matrix = {
  row: string,
  column: string,
  columns: Array<string>,
  rows: Array<MatrixRow>,
  sum: string,
  cells: Array<MatrixCell>,
};
export type MatrixRow = { name: string, group: string, sum: number, strong: boolean };
export type Part = "leader" | "follower";
export type MatrixCell = { row: number, column: number, part: Part, suggested?: boolean };
export type Claims = { claims: Array<ClaimRow> };
export type ClaimRow = {
  id: string,
  statement: string,
  document: string,
  ours: string,
  word: string,
  tone: Tone,
  notes: Array<[string, string]>,
  strip: Strip,
};
export type Strip = {
  unit: string,
  band: [number | null, number | null],
  points: Array<StripPoint>,
};
export type StripPoint = { name: string, value: number, spread: number, word: string, tone: Tone };
export type Fleet = {
  of: string,
  since: string,
  tags: Array<string>,
  racks: Array<string>,
  nodes: Array<FleetNode>,
  resources: Array<FleetResource>,
  cell_s: number,
  use: Array<Array<number>>,
  envelopes: Array<Envelope>,
  operations: Operations,
  causes: Array<FleetCause>,
  waited: Array<Share>,
};
export type FleetNode = {
  name: string,
  rack: number,
  alive: boolean,
  sent_bytes: number,
  received_bytes: number,
};
export type FleetResource = {
  name: string,
  kind: Kind,
  node: number | null,
  rack: number | null,
  capacity: number,
};
export type FleetCause = { kind: Kind, name: string };
export type Envelope = {
  rack: number,
  kind: Kind,
  members: number,
  mean: Array<number>,
  max: Array<number>,
};
export type Operations = {
  block: Array<number>,
  source: Array<number>,
  target: Array<number>,
  source_disk: Array<number>,
  target_disk: Array<number>,
  decided_s: Array<number>,
  start_s: Array<number>,
  end_s: Array<number>,
  bytes: Array<number>,
  cause: Array<number>,
  held: Array<number>,
};
