# %% [markdown]
# # How many Raft pipelines a node?
#
# Eight DataNodes with four Raft log disks each; 64 clients write objects of 100 kB. SCM opens at most
# `ozone.scm.datanode.pipeline.limit` pipelines a node, two by default.

# %%
import altair as alt
import polars as pl

import tenbin as tb

limit = "ozone-site.ozone.scm.datanode.pipeline.limit"
s = tb.Scenario.load("ozone-small-files").set("workload.objects", 2000)
limits = [1, 2, 3, 4, 6, 8, 12]
rows = s.measure([{limit: n} for n in limits], seeds=range(1, 4))
rates = pl.DataFrame(
    {"limit": n, "seed": one["seed"], "writes/s": one["value"]}
    for n, row in zip(limits, rows, strict=True)
    for one in row
)
mean = rates.group_by("limit").agg(pl.col("writes/s").mean()).sort("limit")
alt.Chart(rates).mark_circle().encode(x="limit:Q", y="writes/s:Q").properties(width=420)

# %% [markdown]
# One pipeline a log disk is best. With more, logs share disks, and each waits for the other's flush.

# %%
rate = dict(mean.iter_rows())
assert rate[4] > 1.3 * rate[2] > 1.3 * rate[1]
assert max(rate, key=rate.__getitem__) == 4
mean

# %% [markdown]
# The judge compares the default with four: the difference, and the price.

# %%
compared = tb.compare(s, vary={limit: [2, 4]}, seeds=3)
print(compared.headline, compared.advice.do)
compared.plot()
