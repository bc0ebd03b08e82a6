# %% [markdown]
# # Which layout for five nodes?
#
# One client writes 200 MB to five nodes over links of 200 Mbit/s, and any two nodes may be lost. Three
# copies or 2-D xor parity survive that. Parity needs less space, and one of the machines has to
# compute it. Which one, and what does it cost in time?

# %%
import tenbin as tb

compared = tb.compare("xor-write", seeds=2)
compared.plot()

# %% [markdown]
# If the client computes the parity (`naive`), its own link carries it: the write is 40 % slower. If nodes
# compute it in flight (`chain`, `pivot`), the write is as fast as three copies, and uses 95 % of the
# client's link.

# %%
rate = {row.name.removesuffix(" (now)"): row.value.mean for row in compared.rows if row.value}
assert rate["naive"] < 0.65 * rate["chain"]
assert abs(rate["chain"] / rate["copies-3"] - 1) < 0.01
compared.table()

# %% [markdown]
# ## Small blocks cost headers
#
# A block of 1 kB costs 4 % of the link; 16 kB is enough.

# %%
s = tb.Scenario.load("xor-write").set("policy.schedule", "chain").set("workload.bytes", "20MB")
blocks = ["1kB", "4kB", "16kB", "64kB"]
rows = s.measure([{"workload.block": block} for block in blocks], seeds=[1])
rates = {block: row[0]["value"] for block, row in zip(blocks, rows, strict=True)}
assert rates["1kB"] < 0.97 * rates["16kB"]
{block: round(rate, 1) for block, rate in rates.items()}
