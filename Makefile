# hotshard: every task of the project. `make help` lists them.
#
# MODE=release (default), debug or asan; CC=gcc (default) or clang. Each pair has a build folder of
# its own, each folder of src/ an archive of its own, and a unit test links only the archives that
# its folder may use: the USES_ lines below are the table of layers, for scripts/check-layers too.

SHELL := /bin/sh
MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.SUFFIXES:

VERSION := 0.1.0

ifeq ($(origin CC),default)
CC := gcc
endif
MODE := release
B := build/$(notdir $(CC))-$(MODE)
PREFIX ?= /usr/local
DESTDIR ?=
ARGS ?=

# The layers, lowest first; the link order of the program is the reverse.
LAYERS := base place proto draw engine term story tools study check lesson view app

# What a layer includes and what its unit tests link, itself first.
USES_base   := base
USES_place  := place base
USES_proto  := proto base
USES_draw   := draw base
USES_engine := engine place proto base
USES_term   := term draw base
USES_story  := story engine place proto base
USES_tools  := tools story engine place proto base
USES_study  := study base
USES_check  := check proto base
USES_lesson := lesson check study tools story engine place proto base
USES_view   := view lesson check study tools story engine draw place proto base
USES_app    := app view lesson check study tools story term engine draw place proto base

# -Wconversion and -Wswitch-enum find a lost bit and a forgotten case; -Wvla keeps the stack's size
# known; -Wundef finds a misspelt macro; -Wcast-qual a const that is cast away.
WARN := -Wall -Wextra -Werror -Wshadow -Wconversion -Wswitch-enum -Wstrict-prototypes \
        -Wmissing-prototypes -Wvla -Wwrite-strings -Wundef -Wpointer-arith -Wcast-qual

# Lua 5.4 has another name on each system.
LUA := $(shell for p in lua5.4 lua-5.4 lua54 lua; do \
           pkg-config --exists "$$p >= 5.4 $$p < 5.5" 2>/dev/null && echo $$p && break; done)
PKGS := ncursesw $(or $(LUA),lua5.4) zlib jansson libutf8proc
# Headers of others are not ours to warn about.
PKG_CFLAGS := $(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(PKGS) 2>/dev/null))
PKG_LIBS := $(shell pkg-config --libs $(PKGS) 2>/dev/null)
TEST_LIBS := $(or $(shell pkg-config --libs cmocka 2>/dev/null),-lcmocka)

OPT_release := -O2 -g1
OPT_debug   := -O0 -g3
OPT_asan    := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined \
               -fno-sanitize-recover=undefined
OPT := $(OPT_$(MODE))
ifeq ($(OPT),)
$(error MODE=$(MODE) is not one of release, debug, asan)
endif

# Tests are compiled more often than they run for long: their own code is made quickly.
OPT_TESTS := $(patsubst -O%,$(if $(filter release,$(MODE)),-O1,-O0),$(OPT))

# -ffp-contract=off: the same floating-point results from every compiler.
CPPFLAGS_ALL = -Isrc -D_POSIX_C_SOURCE=200809L -DHOTSHARD_VERSION='"$(VERSION)"' $(PKG_CFLAGS) \
               $(CPPFLAGS)
CFLAGS_ALL = -std=c17 $(WARN) $(OPT) -ffp-contract=off $(CFLAGS)
LDLIBS_ALL = $(PKG_LIBS) -lm -pthread $(LDLIBS)

# Where an installed program finds its lessons; only app knows.
SHARE := $(abspath $(PREFIX))/share/hotshard
SHARE_FLAG = -DHOTSHARD_SHARE='"$(SHARE)"'

# One source of truth for what exists: the files. A large layer has a folder for each of its modules.
objs = $(patsubst src/%.c,$(B)/%.o,$(wildcard src/$(1)/*.c src/$(1)/*/*.c))
lib = $(B)/lib$(1).a

# As many jobs as processors, unless make was told a number already.
CPUS = $(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
THIS_MAKE := $(MAKE)
SUBMAKE = $(MAKE) --no-print-directory $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(CPUS))

.PHONY: all
all: hotshard ## build ./hotshard (the default)

# The program of the mode and compiler asked for last.
hotshard: $(B)/hotshard force
	@cmp -s $< $@ || cp -f $< $@

# --- tasks -------------------------------------------------------------------------------------

.PHONY: help
help: ## list the tasks
	@echo 'hotshard $(VERSION). Tasks:'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile
	@echo '  make unit-LAYER     build and run the unit tests of one folder of src/'
	@echo 'Choices: MODE=release|debug|asan  CC=gcc|clang  ARGS="..." for run and bench'
	@echo '         CFLAGS CPPFLAGS LDFLAGS LDLIBS are added  PREFIX=$(PREFIX)  DESTDIR='

.PHONY: run
run: ## install what is missing, build, start the program (ARGS="slot user:1")
	@scripts/deps run
	+@$(SUBMAKE) all
	@exec ./hotshard $(ARGS)

.PHONY: test
test: ## install what is missing, build it all ways, run every test
	@scripts/deps test
	@MAKE='$(THIS_MAKE)' scripts/test-all

.PHONY: unit
unit: ## build and run the unit tests of this mode and compiler

.PHONY: bench
bench: $(B)/hotshard ## measure the program's budgets on this machine
	@$(B)/hotshard bench $(ARGS)

.PHONY: lint
lint: ## check formatting, layers and shell scripts
	@scripts/lint

.PHONY: golden-update
golden-update: programs ## rewrite the golden files from what the program does now
	@HOTSHARD_GOLDEN=update HOTSHARD='$(abspath $(B)/hotshard)' scripts/run-units $(UNIT_BINS) \
	    $$(grep -l HOTSHARD_GOLDEN tests/*/*.sh 2>/dev/null)

.PHONY: deps
deps: ## install the packages that building and testing need
	@scripts/deps test

# --- compile -----------------------------------------------------------------------------------

# Objects depend on files that hold the flags, so a change of flags rebuilds them.
FLAGS_NOW = $(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LDFLAGS) $(LDLIBS_ALL)
quote = '$(subst ','\'',$(1))'
define keep_flags
@mkdir -p $(@D)
@printf '%s\n' $(call quote,$(1)) | cmp -s - $@ || printf '%s\n' $(call quote,$(1)) > $@
endef

.PHONY: force
$(B)/flags: force
	$(if $(PKG_LIBS),,$(error libraries are missing, "make deps" installs them))
	$(call keep_flags,$(FLAGS_NOW))

$(B)/flags-app: force
	$(call keep_flags,$(SHARE_FLAG))

$(B)/app/%.o $(B)/unit/app/%.o: LAYER_FLAGS = $(SHARE_FLAG)
$(call objs,app): $(B)/flags-app

$(B)/%.o: src/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CC) $(CPPFLAGS_ALL) $(LAYER_FLAGS) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

# An archive depends on its folder as well, whose time changes when a file goes.
# main.c is the program's alone: a test brings its own main.
define layer_rule
$(call lib,$(1)): $(filter-out $(B)/app/main.o,$(call objs,$(1))) \
    $(wildcard src/$(1)) $(patsubst %/,%,$(wildcard src/$(1)/*/))
	@echo "  AR    $$@"
	@rm -f $$@ && ar rcs $$@ $$(filter %.o,$$^)
endef
$(foreach l,$(LAYERS),$(eval $(call layer_rule,$(l))))

$(B)/hotshard: $(B)/app/main.o $(foreach l,$(USES_app),$(call lib,$(l)))
	@echo "  LD    $@"
	@$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)

# --- unit tests --------------------------------------------------------------------------------

# tests/unit/<layer>/test_<file>.c links $(USES_<layer>) only.
UNIT_SRCS := $(wildcard tests/unit/*/test_*.c)
UNIT_BINS := $(patsubst tests/unit/%.c,$(B)/unit/%,$(UNIT_SRCS))
UNIT_OBJS := $(patsubst %,%.o,$(UNIT_BINS))
.SECONDARY: $(UNIT_OBJS)
$(filter $(B)/unit/app/%,$(UNIT_OBJS)): $(B)/flags-app

$(B)/unit/%.o: tests/unit/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CC) $(CPPFLAGS_ALL) $(LAYER_FLAGS) -Itests $(CFLAGS_ALL) $(OPT_TESTS) \
	    -Wno-missing-prototypes -MMD -MP -c -o $@ $<

# Two hundred programs are linked three times as fast by lld, where there is one.
LINK_TESTS := $(shell command -v ld.lld >/dev/null 2>&1 && echo -fuse-ld=lld)

define unit_rule
$(B)/unit/$(1)/%: $(B)/unit/$(1)/%.o $$(foreach l,$$(USES_$(1)),$$(call lib,$$(l)))
	@$$(CC) $$(CFLAGS_ALL) $$(LINK_TESTS) $$(LDFLAGS) -o $$@ $$^ $$(LDLIBS_ALL) $$(TEST_LIBS)
endef
$(foreach l,$(LAYERS),$(eval $(call unit_rule,$(l))))

# The simulator is one program of several files; without arguments it is a test like the others.
SIM_OBJS := $(patsubst tests/%.c,$(B)/%.o,$(wildcard tests/sim/*.c))
$(B)/sim/%.o: tests/sim/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CC) $(CPPFLAGS_ALL) -Itests -Itests/sim $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(B)/sim/sim: $(SIM_OBJS) $(foreach l,check $(USES_engine),$(call lib,$(l)))
	@$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)

.PHONY: sim
sim: $(B)/sim/sim ## random worlds, commands and faults, judged after every event (20,000 seeds)
	@$(B)/sim/sim $(ARGS)

# Sanitizers make it ten times slower.
SOAK_SEEDS := $(if $(filter asan,$(MODE)),100000,1000000)
.PHONY: soak
soak: $(B)/sim/sim $(B)/hotshard $(filter $(B)/unit/proto/%,$(UNIT_BINS)) ## the same with a million seeds (MODE=asan: a hundred thousand), each drill with 10,000, every mutant
	@$(B)/sim/sim many $(SOAK_SEEDS)
	@HOTSHARD='$(abspath $(B)/hotshard)' SEEDS=10000 tests/lesson/seeds.sh
	@$(if $(filter release,$(MODE)),HOTSHARD='$(abspath $(B)/hotshard)' CC='$(CC)' tests/sim/mutate.sh all)

# The program and every test, built and not run.
.PHONY: programs
programs: $(B)/hotshard $(UNIT_BINS) $(B)/sim/sim

# For a second compiler, whose tests would only say the same again: its warnings about them.
UNIT_READ := $(UNIT_SRCS:tests/%.c=$(B)/%.read)
$(B)/unit/%.read: tests/unit/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  READ  $<"
	@$(CC) $(CPPFLAGS_ALL) $(SHARE_FLAG) -Itests $(CFLAGS_ALL) -Wno-missing-prototypes \
	    -fsyntax-only $< && touch $@

.PHONY: read
read: $(B)/hotshard $(B)/sim/sim $(UNIT_READ)

# Tests of app drive the program itself.
unit: $(UNIT_BINS) $(if $(filter $(B)/unit/app/%,$(UNIT_BINS)),$(B)/hotshard)
	@HOTSHARD='$(abspath $(B)/hotshard)' scripts/run-units $(UNIT_BINS)

# One layer's tests alone: make unit-place
unit-%:
	@$(MAKE) --no-print-directory UNIT_SRCS="$(wildcard tests/unit/$*/test_*.c)" unit

-include $(wildcard $(B)/*/*.d $(B)/*/*/*.d)

# --- install -----------------------------------------------------------------------------------

BINDIR = $(DESTDIR)$(abspath $(PREFIX))/bin
MANDIR = $(DESTDIR)$(abspath $(PREFIX))/share/man/man1
SHAREDIR = $(DESTDIR)$(SHARE)

.PHONY: install
install: $(B)/hotshard ## install program, lessons and manual page below PREFIX
	install -d '$(BINDIR)' '$(SHAREDIR)'
	install -m 755 $(B)/hotshard '$(BINDIR)/hotshard'
	@# A lesson of an older version must not stay behind: the folder is ours alone.
	rm -rf '$(SHAREDIR)/lessons' '$(SHAREDIR)/assets'
	@find $(wildcard lessons assets) -type f | while read -r file; do \
	    install -d "$(SHAREDIR)/$$(dirname "$$file")" && \
	    install -m 644 "$$file" "$(SHAREDIR)/$$file" || exit 1; \
	done
	@if [ -f docs/hotshard.1 ]; then \
	    install -d '$(MANDIR)' && install -m 644 docs/hotshard.1 '$(MANDIR)/hotshard.1'; \
	fi

.PHONY: uninstall
uninstall: ## remove what install put there
	rm -f '$(BINDIR)/hotshard' '$(MANDIR)/hotshard.1'
	rm -rf '$(SHAREDIR)'

.PHONY: dist
dist: ## pack the committed sources into build/hotshard-VERSION.tar.gz
	@mkdir -p build
	git archive --format=tar.gz --prefix=hotshard-$(VERSION)/ -o build/hotshard-$(VERSION).tar.gz HEAD

.PHONY: clean
clean: ## remove everything that was built
	rm -rf build hotshard
