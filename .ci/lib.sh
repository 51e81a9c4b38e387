# Steps and checks that run and full share. Sourced by them, in the repository's directory.

export CI=true GOFLAGS="${GOFLAGS:-} -buildvcs=false"
exec </dev/null

module=$(sed -n 's/^module //p' go.mod)
modules=(.)
for m in examples bench; do
	[ -f "$m/go.mod" ] && modules+=("$m")
done
tags=(custody_unchecked custody_strict custody_explore)
covered=(safety lane internal/lanes array counter parallelfor queue hashmap table timeline)
coverpkg=$(printf './%s,' "${covered[@]}")
coverpkg=${coverpkg%,}

scratch=$(mktemp -d)
beside=
trap '[ -z "$beside" ] || kill "$beside"; rm -rf "$scratch"' EXIT

# The compiler spends half of its time on the collection of garbage, in no more than a few hundred megabytes, unless it may have more.
# Tests are to have what they have anywhere, so that is for the tools alone. A sixth of the rest went into what debuggers ask for. A third
# package is under way beside the two that two processors are for, since tests wait for each other, and for the disk; no more than
# nine, whatever the machine has, for it may be lent in part only. What go vet says is asked once for all tests, by vet_all.
processors=$(nproc 2>/dev/null || echo 2)
printf '#!/bin/sh\nGOGC=1000 GOMEMLIMIT=2GiB exec "$@"\n' >"$scratch/roomy" && chmod +x "$scratch/roomy"
export CUSTODY_GOFLAGS="-toolexec=$scratch/roomy -gcflags=all=-dwarf=false" # for the builds of tests, too, which have flags of their own
export GOFLAGS="$GOFLAGS $CUSTODY_GOFLAGS -vet=off -p=$(((processors < 8 ? processors : 8) + 1))"
started=$SECONDS
failed=()

# step NAME COMMAND... runs the command under a heading, and tells how many seconds it took, and how many the processors were at work for
# it. A failure is kept for the end, so that one run shows all of them.
step() {
	local name=$1 how=passed from=$SECONDS work
	shift
	busy
	work=$busy
	printf '\n=== %s\n' "$name"
	"$@" || { how=FAILED && failed+=("$name"); }
	busy
	printf '=== %s: %s (%d s, processors %d s)\n' $how "$name" $((SECONDS - from)) $((busy - work))
}

# beside NAME COMMAND... runs a step beside the next ones, until joined: their processors wait at other times. There is one at a time.
beside() {
	[ -z "$beside" ] || { failed+=("$1: $besides is under way") && return; }
	besides=$1
	shift
	"$@" >"$scratch/beside" 2>&1 &
	beside=$!
}

# joined waits for the step that beside started, and prints its output.
joined() {
	step "$besides, beside the above" waited
	beside=
}

waited() {
	local status=0
	wait "$beside" || status=$?
	cat "$scratch/beside"
	return $status
}

# busy sets busy to how many seconds processors were at work for what has run here until now.
busy() {
	times >"$scratch/times" # not in a subshell, which has no children yet
	busy=$(awk 'NR == 2 { gsub("s", ""); split($1, u, "m"); split($2, s, "m"); printf "%d", u[1] * 60 + u[2] + s[1] * 60 + s[2] }' "$scratch/times")
}

# finish ends the run here, with a list, when a step failed.
finish() {
	if [ ${#failed[@]} -gt 0 ]; then
		printf '\n%d of the steps failed, after %d s:\n' ${#failed[@]} $((SECONDS - started))
		printf '  %s\n' "${failed[@]}"
		exit 1
	fi
}

# each COMMAND... runs all of what it is given by the caller's loop and remembers whether one failed.
each() { "$@" || bad=1; }

need_go() {
	command -v go >/dev/null || PATH=$PATH:/usr/local/go/bin:$HOME/go/bin
	if ! command -v go >/dev/null; then
		echo "Go is not installed (https://go.dev/dl). Version $(sed -n 's/^go //p' go.mod) or later is needed." >&2
		exit 1
	fi
	go version
}

has_cc() {
	local cc
	cc=$(go env CC)
	command -v "${cc%% *}" >/dev/null && return
	for cc in gcc clang cc; do
		command -v $cc >/dev/null && export CC=$cc && return
	done
	return 1
}

# need_cc finds the C compiler that the race detector is linked by, or installs one.
need_cc() {
	export CGO_ENABLED=1
	if ! has_cc && command -v apt-get >/dev/null; then
		echo "No C compiler, which the race detector needs: installing gcc."
		local root=
		[ "$(id -u)" = 0 ] || root="sudo -n"
		{ $root apt-get update -q && DEBIAN_FRONTEND=noninteractive $root apt-get install -q -y --no-install-recommends gcc libc6-dev; } >"$scratch/apt" 2>&1 ||
			tail -n 5 "$scratch/apt"
	fi
	if ! has_cc; then
		cat >&2 <<-END
			The race detector needs a C compiler, and there is none: install gcc or clang.
			What runs without one: CGO_ENABLED=0 go test ./...
		END
		exit 1
	fi
}

formatted() {
	local f
	f=$(gofmt -l .) || return 1
	[ -z "$f" ] && return
	printf 'gofmt wants to change:\n%s\n' "$f"
	return 1
}

# fromsource DIRECTORY [PACKAGE...] looks at packages of a module, otherwise all, as go vet and go fix do, as GOOS, GOARCH and GOFLAGS say, and compiles nothing for that.
fromsource() {
	[ -x "$scratch/fromsource" ] || GOOS= GOARCH= GOFLAGS=-buildvcs=false go -C vet build -o "$scratch/fromsource" ./cmd/fromsource || return 1
	local directory=$1
	shift
	(cd "$directory" && "$scratch/roomy" "$scratch/fromsource" "${@:-./...}")
}

# vet_all looks at every module, and at the library also as every level builds it, race builds too.
vet_all() {
	local bad=0 m
	for m in "${modules[@]}" vet; do
		each fromsource "$m"
	done
	each at_levels .
	return $bad
}

# at_levels MODULE... looks at the packages of modules that have other files at another level.
at_levels() {
	local bad=0 m t others
	for m; do
		for t in -race "${tags[@]/#/-tags=}"; do
			others=$(cd "$m" && otherwise "$t")
			[ -z "$others" ] || GOFLAGS="$GOFLAGS $t" each fromsource "$m" $others
		done
	done
	return $bad
}

# elsewhere checks types for a machine of another kind, and looks at all that would be built there.
elsewhere() {
	GOOS=${1%/*} GOARCH=${1#*/} CGO_ENABLED=0 fromsource .
}

# levelled [TAG] names the packages whose tests may come out otherwise at the level of a tag, or on another machine: those that look at
# the source and at the documents do not, and with a tag those do not that have no other files then, nor import what has.
levelled() {
	local other
	other=$([ -z "${1-}" ] || otherwise -tags="$1")
	{
		if [ -z "${1-}" ]; then
			go list ./...
		else
			echo "$other"
			go list -test -tags="$1" -f '{{if .ForTest}}{{range .Deps}}{{$.ForTest}} {{.}}{{"\n"}}{{end}}{{end}}' ./... |
				awk -v other="$other" 'BEGIN { split(other, names, "\n"); for (i in names) is[names[i]] } $2 in is { print $1 }'
		fi
	} | sort -u | grep -v '/internal/gates$\|/internal/tools/\|/docs$'
}

# otherwise FLAG names the packages that have other files with a flag.
otherwise() { diff <(built) <(built "$1") | sed -n 's/^> \([^ ]*\) .*/\1/p'; }

# built FLAGS... names the packages with their files, of tests too.
built() { go list "$@" -f '{{.ImportPath}} {{.GoFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}' ./...; }

# profile NAME TAG FLAGS... runs the tests of a level, which "" is too, and leaves what they cover in a file. vet_all has vetted them.
profile() {
	local name=$1 tag=$2
	shift 2
	go test -tags="$tag" "$@" -coverpkg="$coverpkg" -coverprofile="$scratch/$name.cover" $(levelled "$tag") >"$scratch/$name.log" 2>&1
	local status=$?
	# Of every package the line says how much it covers of all four, which tells nothing.
	sed 's/\tcoverage: .*//; /^coverage: /d' "$scratch/$name.log"
	return $status
}

# coverage judges the profiles that were made.
coverage() {
	local args=() name
	for name in strict unchecked race explored; do
		[ -f "$scratch/$name.cover" ] && args+=(-build "$name=$scratch/$name.cover")
	done
	go run ./internal/tools/coverage "${args[@]}" "$scratch/checked.cover" "${covered[@]}"
}

# on32 runs the tests on 32 bits. A kernel may be built without support for such programs: there
# the tests are only built.
on32() (
	export GOARCH=386 CGO_ENABLED=0
	printf 'package main\n\nfunc main() {}\n' >"$scratch/on32.go"
	go build -o "$scratch/on32" "$scratch/on32.go" || exit 1
	how=()
	"$scratch/on32" 2>"$scratch/on32.err" || {
		tail -n 1 "$scratch/on32.err"
		echo "NOT RUN: this machine runs no programs of 32 bits, so the tests for them are only built."
		how=(-exec true)
	}
	go test -short "${how[@]}" $(levelled)
)

# builds compiles for a machine of another kind.
builds() {
	local bad=0 m
	for m in . examples; do
		[ -f "$m/go.mod" ] || continue
		GOOS=${1%/*} GOARCH=${1#*/} CGO_ENABLED=0 each go -C "$m" build ./...
	done
	return $bad
}

# faults breaks the library in files that changed since origin/main, or in the last commit, or whose tests did, in 30 places at
# most, and in 15 others, and expects that the tests notice. It prints the seed that repeats the choice.
faults() {
	local since head
	head=$(git rev-parse -q --verify HEAD)
	since=$(git rev-parse -q --verify 'origin/main^{commit}')
	[ -n "$since" ] && [ "$since" != "$head" ] || since=$(git rev-parse -q --verify 'HEAD~1^{commit}')
	go run ./internal/tools/faults -j $(((processors < 8 ? processors : 8) + 1)) ${since:+-changed "$since" -most 30} -n 15 "$@"
}

# fuzz_all SECONDS runs every fuzz target of every module for that long, six at a time: mostly they wait for each other's processes, and for
# the next package's to be built. Only a crasher fails. Each package is built once.
fuzz_all() {
	local bad=0 m dir name names=$scratch/targets program=$scratch/fuzz. running=()
	for m in "${modules[@]}"; do
		while read -r dir; do
			program+=x
			if ! go -C "$dir" test -c -fuzz . -o "$program" . || ! (cd "$dir" && "$program" -test.list '^Fuzz') >"$names"; then
				bad=1
				continue
			fi
			while read -r name; do
				fuzz_one "$program" "$dir" "$name" "$1" &
				running+=($!)
				[ ${#running[@]} -lt 6 ] || { each wait "${running[0]}" && running=("${running[@]:1}"); }
			done <"$names"
		done < <(grep -rl --include='*_test.go' '^func Fuzz' "$m" | xargs -r -n 1 dirname | sort -u | among "$m")
	done
	while [ ${#running[@]} -gt 0 ]; do
		each wait "${running[0]}" && running=("${running[@]:1}")
	done
	return $bad
}

# among MODULE leaves those of the directories that it reads which belong to the module itself, not to one below it.
among() {
	local dir
	while read -r dir; do
		[ "$(go -C "$dir" list -m)" = "$(go -C "$1" list -m)" ] && echo "$dir"
	done
}

# fuzz_one PROGRAM DIRECTORY TARGET SECONDS
fuzz_one() {
	local log=$scratch/fuzz.$3.log
	if (cd "$2" && "$1" -test.run '^$' -test.fuzz "^$3\$" -test.fuzztime "$4s" -test.fuzzcachedir "$(go env GOCACHE)/fuzz") >"$log" 2>&1; then
		printf '%s %s, %s\n' "$2" "$3" "$(grep -o 'execs: [0-9]*\|gathering.*completed' "$log" | tail -n 1)"
		return
	fi
	# The engine may be late at its own deadline, which is no finding.
	if grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input written\|panic:\|DATA RACE' "$log"; then
		return 0
	fi
	cat "$log"
	# Go leaves the input in the tree, where go test runs it from now on; the log has it, too.
	sed -n 's/.*Failing input written to //p' "$log" | while read -r line; do
		cat "$2/$line"
	done
	return 1
}

# tidy says which go.mod or go.sum would change. It asks the module proxy.
tidy() {
	local bad=0 m
	for m in "${modules[@]}" vet; do
		each go -C "$m" mod tidy -diff
	done
	return $bad
}
