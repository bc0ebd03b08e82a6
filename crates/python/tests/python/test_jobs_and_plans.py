from pathlib import Path

import pytest

import tenbin as tb


def test_causes_of_a_real_job() -> None:
    jobs = tb.import_mapreduce("examples/terasort/*.jhist")
    first = jobs.causes[0]
    assert first.job == "job_1795197530166_0002" and first.share > 0.3 and first.do
    assert [one.key for one in jobs.causes if one.cause == "AM start"] == [
        "mapreduce.job.ubertask.enable"
    ]
    assert "intervals" in jobs.tables and jobs.page.is_file()


def test_a_pattern_without_files_is_named() -> None:
    with pytest.raises(tb.BadInput, match="none-"):
        tb.import_mapreduce("none-*.jhist")


def test_charts_are_those_of_altair() -> None:
    gantt = tb.import_mapreduce("examples/terasort").gantt().to_dict()
    assert gantt["encoding"]["row"]["field"] == "host"
    plot = tb.compare("s0", vary={"policy": ["default", "ring"]}, seeds=3).plot().to_dict()
    assert len(plot["layer"]) == 3


def test_a_plan_for_a_loss(tmp_path: Path) -> None:
    cluster = tmp_path / "shop.toml"
    shop = Path("examples/shop")
    fsck, report = shop / "fsck-files-blocks-replicaDetails.txt.gz", shop / "dfsadmin-report.txt"
    tb.command(["import", "hdfs", "--fsck", fsck, "--report", report, "-o", cluster])
    plan = tb.plan_rebuild(cluster, lose="dn-r2-05", seeds=2, out=tmp_path / "plan")
    assert plan.recommended and plan.json["current"]["recovery_s"] > plan.recommended["recovery_s"]
    assert (tmp_path / "plan" / "report.html").is_file()
    with pytest.raises(tb.BadInput, match="dn-r9"):
        tb.plan_rebuild(cluster, lose="dn-r9-02")


def test_a_plan_of_a_scenario() -> None:
    scenario = tb.Scenario.load("s0").set("cluster.nodes_per_rack", 6)
    assert tb.plan_rebuild(scenario, seeds=2).json["current"]["recovery_s"] > 100
