# %% [markdown]
# # Why were ten jobs slow?
#
# Ten histories of real Hadoop jobs. Each was given one fault, except one. The import names the cause of
# each from the history alone.

# %%
import polars as pl

import tenbin as tb

jobs = tb.import_mapreduce("../../systems/mapreduce/tests/planted")
causes = pl.DataFrame(
    {"job": c.job, "cause": c.cause, "share": c.share, "certainty": c.certainty, "do": c.do}
    for c in jobs.causes
)
first = causes.group_by("job", maintain_order=True).first()
first.select("job", "cause", pl.col("share").round(2), "do")

# %% [markdown]
# ## What costs most over all jobs?
#
# A share is the part of a job's time that ends without the cause. One cause in two jobs: skew.

# %%
total = causes.group_by("cause").agg(pl.col("share").sum().alias("jobs"), pl.len().alias("in"))
total.sort("jobs", descending=True).head(5)

# %%
assert first["cause"].to_list().count("skew") == 2
assert "nothing stands out" in first["cause"].to_list()
jobs.gantt()
