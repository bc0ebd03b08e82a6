# %% [markdown]
# # How many metadata servers do I need?
#
# Start from a measurement of your own: mdtest with 1 to 64 tasks on one server. The import fits the
# times of server and store to it. Here the numbers are invented; yours are in mdtest's output.

# %%
import tempfile
from pathlib import Path

import tenbin as tb

MDTEST = """\
mdtest-4.0.0 was launched with 64 total task(s) on 4 node(s)
Command line used: ./mdtest '-F' '-n' '100' '-f' '1' '-l' '64' '-s' '63'
1 tasks, 100 files
SUMMARY rate: (of 1 iterations)
   Operation                      Max            Min           Mean        Std Dev
   File creation                500.000        500.000        500.000          0.000
   File stat                   3000.000       3000.000       3000.000          0.000
   File removal                 480.000        480.000        480.000          0.000
64 tasks, 6400 files
SUMMARY rate: (of 1 iterations)
   Operation                      Max            Min           Mean        Std Dev
   File creation               18500.000      18500.000      18500.000          0.000
   File stat                  20000.000      20000.000      20000.000          0.000
   File removal                18100.000      18100.000      18100.000          0.000
"""
folder = Path(tempfile.mkdtemp())
(folder / "mdtest.out").write_text(MDTEST)
print(tb.command(["import", "mdtest", folder / "mdtest.out", "-o", folder / "mdtest.toml"]))
fitted = tb.Scenario.load(folder / "mdtest.toml")
{key: value for key, value in fitted.settings.items() if key.startswith(("store.", "network.st"))}

# %% [markdown]
# ## Does the model hold on these rates?
#
# File creation with 64 tasks was not fitted: it is a prediction. If it were off by more than 1.5, the
# first sentence of the page would say so, and there would be no advice.

# %%
run = fitted.run(advice=False)
print(run.headline)
run.json["measured"]

# %% [markdown]
# ## How the rate of creates grows with servers

# %%
creates = tb.Scenario.load("ppmds").set("workload.creates_per_client", 100)
for key in ("network.startup", "store.latency"):
    creates = creates.set(key, fitted.settings[key])
servers = [1, 2, 4, 8]
rows = creates.measure(
    [{"cluster.servers": n, "cluster.clients": 64 * n} for n in servers], seeds=[1]
)
rates = {n: row[0]["value"] for n, row in zip(servers, rows, strict=True)}
print({n: round(rate) for n, rate in rates.items()})
assert rates[8] > 3 * rates[1]

# %% [markdown]
# ## The fewest servers for 50 000 creates a second

# %%
plan = tb.plan_metadata(creates.set("cluster.clients", 512), "50k/s", seeds=2)
assert plan.json["servers"] == 3
plan.json["servers"]
