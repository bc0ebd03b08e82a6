"""Altair charts with the colours of the pages. Needs `pip install "tenbin[plot]"`."""

from __future__ import annotations

import textwrap
from math import isnan
from typing import TYPE_CHECKING, Any

import altair as alt
import polars as pl

if TYPE_CHECKING:
    from .jobs import Jobs
    from .results import Comparison

INK, INK2, GRID = "#15181d", "#474c56", "#ecedf0"
DISK, NETWORK, CPU, RISK, WAIT = "#d98800", "#3482e1", "#107c6d", "#ce2e00", "#b2b7be"


def _styled(chart: Any) -> Any:
    return (
        chart.configure(font="Inter, sans-serif", background="#ffffff")
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=INK2,
            titleColor=INK2,
            titleFontWeight="normal",
            gridColor=GRID,
            domain=False,
            ticks=False,
        )
        .configure_title(anchor="start", color=INK, fontSize=14, subtitleColor=INK2)
        .configure_legend(labelColor=INK2, titleColor=INK2, orient="top")
    )


def nan_to_zero(value: float) -> float:
    return 0.0 if isnan(value) else value


def comparison(of: Comparison) -> alt.LayerChart:
    """Each seed as a dot, mean and 95 % interval as a bar; the recommended variant in colour."""
    names = [row.name for row in of.rows]
    means = pl.DataFrame(
        {
            "variant": row.name,
            "mean": row.value.mean,
            "low": row.value.mean - nan_to_zero(row.value.ci95),
            "high": row.value.mean + nan_to_zero(row.value.ci95),
            "recommended": row.set == of.advice.do,
        }
        for row in of.rows
        if row.value
    )
    seeds = pl.DataFrame(
        {"variant": row.name, "seed": seed, "value": value}
        for row in of.rows
        for seed, value in enumerate(row.values, 1)
    )
    y = alt.Y("variant:N", sort=names, title=None, axis=alt.Axis(grid=False, labelLimit=320))
    title = of.metric.removesuffix(f"_{of.unit}").replace("_", " ") + f" [{of.unit}]"
    # Dots and intervals do not need the axis to begin at 0.
    near = alt.Scale(zero=False)
    color = alt.condition("datum.recommended", alt.value(CPU), alt.value(INK))
    dots = (
        alt.Chart(seeds)
        .mark_circle(size=18, color=WAIT, opacity=1)
        .encode(
            x=alt.X("value:Q", title=title, scale=near), y=y, tooltip=["variant", "seed", "value"]
        )
    )
    bars = (
        alt.Chart(means)
        .mark_rule(strokeWidth=2)
        .encode(x=alt.X("low:Q", title=title), x2="high:Q", y=y, color=color)
    )
    marks = alt.Chart(means).mark_tick(thickness=3, size=16).encode(x="mean:Q", y=y, color=color)
    chart: alt.LayerChart = _styled(
        (dots + bars + marks).properties(
            title=textwrap.wrap(of.headline, 72), width=520, height=alt.Step(26)
        )
    )
    return chart


def gantt(of: Jobs) -> alt.Chart:
    """Attempts by node: maps, reduces, and those that did not succeed."""
    entities, nodes = pl.DataFrame(of.trace("entities")), pl.DataFrame(of.trace("nodes"))
    attempts = (
        entities.filter(pl.col("kind") == "attempt", pl.col("end_ns").is_not_null())
        .join(nodes.select(node="id", host="name"), on="node", how="left")
        .with_columns(
            host=pl.col("host").fill_null("unknown node"),
            begin=pl.col("begun_ns") / 1e9,
            end=pl.col("end_ns") / 1e9,
            task=pl.when(pl.col("outcome").is_not_null())
            .then(pl.lit("not successful"))
            .when(pl.col("name").str.starts_with("m"))
            .then(pl.lit("map"))
            .otherwise(pl.lit("reduce")),
        )
        .sort("host", "begun_ns")
    )
    kinds = alt.Scale(domain=["map", "reduce", "not successful"], range=[DISK, NETWORK, RISK])
    chart: alt.Chart = _styled(
        alt.Chart(attempts)
        .mark_bar(height=6)
        .encode(
            x=alt.X("begin:Q", title="time since the first job began [s]"),
            x2="end:Q",
            y=alt.Y("name:N", sort=None, title=None, axis=None),
            row=alt.Row("host:N", title=None, header=alt.Header(labelAngle=0, labelAlign="left")),
            color=alt.Color("task:N", scale=kinds, title=None),
            tooltip=["name", "host", "begin", "end"],
        )
        .properties(width=520, height=alt.Step(8))
        .resolve_scale(y="independent")
    )
    return chart
