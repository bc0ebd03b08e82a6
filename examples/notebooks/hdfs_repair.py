# %% [markdown]
# # Which repair settings for *this* cluster?
#
# A shop has 40 DataNodes. Its NameNode's own reports describe it. It loses one node: how long are blocks
# at risk, which setting limits the repair, and what would shorten it?

# %%
import tempfile
from pathlib import Path

import tenbin as tb

shop, cluster = Path("../shop"), Path(tempfile.mkdtemp()) / "shop.toml"
reports = {
    "--fsck": "fsck-files-blocks-replicaDetails.txt.gz",
    "--report": "dfsadmin-report.txt",
    "--topology": "dfsadmin-printTopology.txt",
    "--conf": "hdfs-site.xml",
}
files = [word for option, name in reports.items() for word in (option, shop / name)]
print(tb.command(["import", "hdfs", *files, "-o", cluster]))

# %% [markdown]
# ## What the search recommends

# %%
plan = tb.plan_rebuild(cluster, lose="dn-r2-05", seeds=3)
now, best = plan.json["current"], plan.recommended
assert best
print(f"now {now['recovery_s']:.1f} s, limited by {now['limiting']}")
print(f"{best['name']}: {best['recovery_s']:.1f} s, limited by {best['limiting']}")

# %% [markdown]
# ## Why: one limit hides the next
#
# The multiplier is the number of blocks per node that the NameNode schedules every three seconds.
# Alone it gains half, `max-streams` alone nothing. Together they gain most.

# %%
work = "hdfs-site.dfs.namenode.replication.work.multiplier.per.iteration"
streams = "hdfs-site.dfs.namenode.replication.max-streams"
hard = "hdfs-site.dfs.namenode.replication.max-streams-hard-limit"
scenario = cluster.with_name("loss.toml")
scenario.write_text(
    '[cluster]\nimport = "shop.toml"\n[policy]\npacing = "hdfs3"\n'
    '[[event]]\nat = "0s"\nkind = "node-lost"\ntarget = "dn-r2-05"\n[run]\nuntil = "redundant"\n'
)
loss = tb.Scenario.load(scenario)
compared = tb.compare(
    loss,
    variants=[{work: 8}, {streams: 8, hard: 16}, {work: 8, streams: 8, hard: 16}],
    seeds=5,
)
compared.plot()

# %%
now_, multiplier, limits, both = compared.rows
assert both.against and multiplier.against and limits.against
assert both.against.mean < multiplier.against.mean < limits.against.mean + 1
assert both.against.verdict == "better"
compared.headline
