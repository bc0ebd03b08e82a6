# Everything that can be done here: `make help`.
CARGO ?= cargo
NPM ?= npm
TARGET := $(or $(CARGO_TARGET_DIR),target)
TENBIN := $(TARGET)/release/tenbin
DIST := $(TARGET)/dist
PACKAGES := $(TARGET)/packages
LIB := $(TARGET)/lib
MATURIN := $(TARGET)/tools/python/bin/maturin
CARGO_DEB := $(TARGET)/tools/bin/cargo-deb
# Where the module for Python is tested; tests find it here, too.
export TENBIN_PYTHON := $(abspath $(TARGET)/tools/python-test/bin/python)
PYTHON_NEEDS := crates/python/tests/requirements.txt
SHOP := examples/shop/shop.toml
SHOP_FILES := $(addprefix examples/shop/,fsck-files-blocks-replicaDetails.txt.gz dfsadmin-report.txt \
  dfsadmin-printTopology.txt hdfs-site.xml)
RACES := $(TARGET)/races
NIGHTLY := nightly
HOST = $(shell rustc -vV | sed -n 's/host: //p')
TEMPLATE := ui/dist/report.html

HADOOP ?= 3.4.3
BASE ?= docker.io/library/debian:bookworm-slim

SOAK_MINUTES ?= 30
export SOAK_MINUTES

.PHONY: help build lab words hooks lib dist dist-check container run test test-real soak same check check-races fix bench ui mpi

help: ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | column -t -s '|'

build: $(TENBIN) ## Build the program: target/release/tenbin

lab: $(TEMPLATE) ## Build the commands over real kernels and daemons: target/release/tenbin-lab
	$(CARGO) build --release --quiet -p tenbin-lab

lib: ## Build the clients of relay and metadata service for C and Python, with headers: target/lib
	$(CARGO) build --release --quiet -p xor-relay-c -p ppmds-service-c
	@rm -rf $(LIB) && mkdir -p $(LIB)
	@cp $(addprefix $(TARGET)/release/libtenbin_,relay.so relay.a meta.so meta.a) \
	  systems/xor/c/tenbin_relay.h systems/xor/c/python/tenbin_relay.py \
	  systems/ppmds/c/tenbin_meta.h systems/ppmds/c/python/tenbin_meta.py $(LIB)
	@ls -sh --block-size=MB $(LIB)/*

dist: $(TEMPLATE) $(MATURIN) $(CARGO_DEB) ## Build a wheel and a Debian package: target/packages
	@rm -rf $(PACKAGES) && mkdir -p $(PACKAGES) $(DIST)
	CARGO=$(CARGO) $(MATURIN) build --quiet --out $(PACKAGES)
	$(CARGO) build --quiet --profile dist -p tenbin
	@$(DIST)/tenbin completions bash >$(DIST)/tenbin.bash
	@rm -rf $(DIST)/man && $(DIST)/tenbin man $(DIST)/man >/dev/null
	$(CARGO_DEB) --quiet --no-build --profile dist -p tenbin --output $(PACKAGES)/
	@ls -sh --block-size=MB $(PACKAGES)/*

dist-check: dist ## Try both packages in clean roots of Debian: from install to the first answer
	@packaging/check.sh $(PACKAGES) $(TARGET)/roots

container: dist ## Build and try a container image by podman or buildah, on the image BASE
	@packaging/container.sh $(PACKAGES) $(BASE)

run: $(SHOP) ## Build all; lose a node of a real cluster, explain a real job, write the reports
	@$(TENBIN) compare scenarios/shop.toml -o out/shop
	@$(TENBIN) import mapreduce examples/terasort -o out/terasort

test: $(TEMPLATE) $(TENBIN_PYTHON) ## Install what is missing and run all tests
	$(CARGO) test --workspace --quiet
	cd ui && $(NPM) test --silent

test-real: ## Run the plug-ins in real daemons: HADOOP=3.4.3; needs a JDK 17, Maven and 420 MB of Hadoop and Spark
	@command -v mvn >/dev/null || { echo "Maven is missing: apt-get install maven" >&2; exit 1; }
	mvn -B -q -f systems/hdfs/hadoop/plugin/pom.xml test -Dhadoop.version=$(HADOOP)
	mvn -B -q -f systems/mapreduce/hadoop/pom.xml verify -Dhadoop.version=$(HADOOP)

soak: $(TEMPLATE) ## Any scenario, scheduler, threads, ranks and seed, SOAK_MINUTES=30 long: one result
	MATRIX=whole $(CARGO) test --quiet -p tenbin --test cli -- --nocapture all_schedulers
	MATRIX=whole $(CARGO) test --quiet -p mapreduce --test mapreduce truth
	MATRIX=whole $(CARGO) test --quiet -p hdfs-without
	$(CARGO) test --quiet -p tenbin --test cli -- --ignored --nocapture soak
	$(CARGO) test --quiet -p ppmds-protocol --test service -- --ignored plays
	$(CARGO) test --quiet -p ppmds-service --test service -- --ignored plays

# Also a part of what is tried on real systems.
.PHONY: test-testbed
test-real: test-testbed
test-testbed: $(TEMPLATE) ## Make disks and clusters real, measure them, kill them; needs root and an idle machine
	$(CARGO) test --quiet --workspace --test cli -- --ignored --test-threads 1 testbed

.PHONY: test-twin
test-real: test-twin
test-twin: $(TEMPLATE) ## Run scenarios on real daemons, hold their simulation against them; as test-testbed
	$(CARGO) test --quiet --workspace --test cli -- --ignored --test-threads 1 twin

.PHONY: test-mount
test-real: test-mount
test-mount: $(TEMPLATE) ## Run pjdfstest on a mount of the metadata service; needs root and /dev/fuse
	@command -v setfacl >/dev/null || apt-get install -y --no-install-recommends acl libacl1-dev >/dev/null
	$(CARGO) install --quiet pjdfstest --version 0.2.2 --root $(TARGET)/tools
	$(CARGO) build --quiet -p tenbin
	systems/ppmds/service/tests/pjdfstest.sh $(TARGET)/debug/tenbin $(TARGET)/tools/bin/pjdfstest \
	  $(TARGET)/pjdfstest

.PHONY: test-verbs
test-verbs: ## Run the relay by RDMA verbs in an emulated machine, whose kernel plays the device
	@command -v qemu-system-x86_64 >/dev/null && command -v ib_write_bw >/dev/null && ldconfig -p | grep -q libibverbs.so.1 || \
	  apt-get install -y --no-install-recommends qemu-system-x86 busybox-static kmod cpio iproute2 \
	    rdma-core ibverbs-providers perftest >/dev/null || \
	  { echo "QEMU or rdma-core is missing: see systems/xor/verbs/run.sh" >&2; exit 1; }
	$(CARGO) build --quiet -p tenbin
	@tests=$$($(CARGO) test -p xor-relay --test it --no-run 2>&1 | sed -n 's/.*Executable.*(\(.*\))/\1/p') && \
	  systems/xor/verbs/run.sh $(TARGET)/debug/tenbin "$$tests" $(TARGET)/verbs

same: $(TENBIN) ## Compare what the program says of all scenarios with what was kept; KEEP=1 keeps it
	@crates/tenbin/tests/same.sh $(TENBIN) $(TARGET)/same $(KEEP)

hooks: ## Check commit messages before each commit, with a template
	git config core.hooksPath .githooks
	git config commit.template .githooks/template

words: ui/node_modules/.package-lock.json ## Check the words of Markdown, comments and messages
	node ui/scripts/words.mjs

check: ui/node_modules/.package-lock.json ## Format, lints, types, docs and words; writes nothing
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --quiet
	cd ui && $(NPM) run --silent check && node scripts/words.mjs

check-races: ## Meetings in all orders, unsafe code, data races of threads; needs rustup
	@command -v rustup >/dev/null || { echo "rustup is missing: see https://rustup.rs" >&2; exit 1; }
	@rustup component list --toolchain $(NIGHTLY) --installed 2>/dev/null \
	  | grep -c '^miri\|^rust-src' | grep -q 2 \
	  || rustup toolchain install $(NIGHTLY) --profile minimal --component miri,rust-src \
	  || { echo "$(NIGHTLY) Rust with miri and rust-src cannot be installed" >&2; exit 1; }
	RUSTFLAGS="--cfg loom" $(CARGO) test --target-dir $(RACES)/loom -p engine --lib all_orders
	MIRIFLAGS=-Zmiri-disable-isolation $(CARGO) +$(NIGHTLY) miri test --target-dir $(RACES)/miri \
	  -p engine --lib --test it -- parallel pending exclusive stress rebalance alone
	RUSTFLAGS=-Zsanitizer=thread $(CARGO) +$(NIGHTLY) test --target-dir $(RACES)/threads \
	  -Zbuild-std --target $(HOST) -p engine --lib --test it -- parallel stress rebalance alone made

fix: ## Format, and mend what lints can mend
	$(CARGO) clippy --workspace --all-targets --fix --allow-dirty --allow-staged
	$(CARGO) fmt --all

bench: $(TENBIN) ## Measure against hand-written loops, SimGrid and ROSS; fails where a bound is missed
	$(CARGO) bench --workspace --quiet --no-fail-fast

mpi: $(TEMPLATE) ## Build tenbin for `mpirun -n R tenbin …`, and try it on real ranks
	@command -v mpirun >/dev/null && command -v mpicc >/dev/null || \
	  apt-get install -y --no-install-recommends openmpi-bin libopenmpi-dev libclang-dev >/dev/null || \
	  { echo "MPI is missing: install Open MPI or MPICH, and libclang" >&2; exit 1; }
	$(CARGO) test --quiet -p tenbin --features mpi --test mpi
	$(CARGO) build --release --quiet -p tenbin --features mpi

ui: $(TEMPLATE) ## Build the screens

# ---- what the lines above need ----

# Cargo knows best what is out of date.
.PHONY: FORCE
$(TENBIN): $(TEMPLATE) FORCE
	@command -v $(CARGO) >/dev/null || { echo "cargo is missing: see https://rustup.rs" >&2; exit 1; }
	$(CARGO) build --release --quiet -p tenbin

$(SHOP): $(TENBIN) $(SHOP_FILES)
	@$(TENBIN) import hdfs --fsck examples/shop/fsck-files-blocks-replicaDetails.txt.gz \
	  --report examples/shop/dfsadmin-report.txt --topology examples/shop/dfsadmin-printTopology.txt \
	  --conf examples/shop/hdfs-site.xml -o $@

ui/node_modules/.package-lock.json: ui/package.json ui/package-lock.json
	@command -v $(NPM) >/dev/null || { echo "npm is missing: install Node.js 20 or newer" >&2; exit 1; }
	cd ui && $(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

NO_VENV = { echo "Python with venv is missing: apt-get install python3-venv" >&2; exit 1; }

$(TENBIN_PYTHON): $(PYTHON_NEEDS)
	python3 -m venv $(TARGET)/tools/python-test || $(NO_VENV)
	$@ -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

$(MATURIN):
	python3 -m venv $(TARGET)/tools/python || $(NO_VENV)
	$(TARGET)/tools/python/bin/pip install --quiet maturin==1.16.0

$(CARGO_DEB):
	$(CARGO) install --quiet --locked --root $(TARGET)/tools --version 3.8.0 cargo-deb

UI_SOURCES := $(shell find ui/src ui/report.html ui/vite.config.ts ui/tsconfig.json -type f 2>/dev/null)
$(TEMPLATE): ui/node_modules/.package-lock.json $(UI_SOURCES)
	cd ui && $(NPM) run --silent build
