/** The data of a page of two runs, as `reading::diff` writes it: its twin is
 * `systems/hdfs/reading/src/diff/page.rs`. Lists of two have the first run first; times are
 * seconds since the loss was declared. */
import { type Behind, type Kind, type Link, type Provenance, type Span } from "./page";

export interface Stat {
  mean: number;
  ci95: number;
  min: number;
  max: number;
}

/** Sample i stands at i · step_s. */
export interface Curve {
  step_s: number;
  median: number[];
  min: number[];
  max: number[];
}

/** One cause's part of a wait. */
export interface Share {
  kind: Kind;
  name: string;
  waited_s: number;
  share: number;
  percent: number;
  intervals: Behind[];
}

export type Two<T> = [T, T];

export interface DiffRun {
  name: string;
  origin: string;
  scenario: string;
  /** 0 of a log. */
  seeds: number;
  /** Nodes that it loses. */
  lost: string[];
  nodes: number;
  /** Null where one of its runs is not safe at its end. */
  recovery_s: Stat | null;
  shares: Share[];
}

/** A curve of both, on one grid. */
export interface DiffCurve {
  key: string;
  title: string;
  sides: Two<Curve>;
  /** Null where neither has several seeds. */
  parts: { bands: number[]; spans: { from_s: number; to_s: number; above: boolean }[] } | null;
}

export interface DiffFigure {
  key: string;
  name: string;
  shown: Two<string>;
  difference: string;
  /** Whether the one run lies where 95 % of the other's seeds do. */
  inside: boolean | null;
}

/** What a node sent or received. */
export interface Carry {
  copies: number;
  /** Where 95 % of further runs have all of their counts; null of one run. */
  range: [number, number] | null;
  bytes: number;
}

export interface DiffNode {
  name: string;
  alive: Two<boolean>;
  sent: Two<Carry>;
  received: Two<Carry>;
  /** Sent, received. */
  inside: Two<boolean | null>;
}

export interface Diff {
  version: 1;
  screen: "diff";
  crumbs: string[];
  since: string;
  tags: string[];
  provenance: Provenance[];
  command: string;
  links?: Link[];
  verdict: Span[];
  sub: Span[];
  parting: Span[][];
  runs: Two<DiffRun>;
  curves: DiffCurve[];
  figures: DiffFigure[];
  nodes: DiffNode[];
  nodes_note: Span[];
}
