# Schedules: every explored test, in two engines. Sourced by run and full.

# schedules FLAGS... runs the library's explored tests.
schedules() {
	go test -count=1 -timeout 5h -tags custody_explore -run Explore "$@" ./array ./counter ./fuzz ./hashmap ./parallelfor ./queue ./safety ./table
}

# explored GOAL SCALE COMMAND... has a command run the explored tests, with SCALE times their usual number of schedules,
# and fails when they ran fewer than GOAL, or those of one package fewer than a hundredth of it.
explored() {
	local goal=$1 scale=$2
	shift 2
	rm -f "$scratch/explored"
	CUSTODY_EXPLORED=$scratch/explored CUSTODY_EXPLORE=$scale "$@" || return 1
	awk -v goal="$goal" '
		{ n += $1; of[$2] += $1 }
		END {
			printf "%d schedules of %d programs\n", n, NR
			if (n < goal) { print "fewer than " goal; bad = 1 }
			split("array counter hashmap parallelfor queue safety table", names)
			for (i in names) if (of[names[i]] < goal / 100) { print "only " of[names[i]] + 0 " of package " names[i]; bad = 1 }
			exit bad
		}' "$scratch/explored"
}

# guaranteed DEPTH PACKAGE..., in the build whose coverage is measured, which is there already, misses a fault of the engine's
# scenarios, of those of a container's life, of the queues and of the map, up to that depth with a probability of one in 10^9.
# The schedules that the tests run besides were run before.
guaranteed() {
	local depth=$1
	shift
	CUSTODY_EXPLORE=0.1 CUSTODY_PCT=$depth go test -count=1 -timeout 3h -tags custody_explore -coverpkg="$coverpkg" \
		-run 'TestExplore(Hand|Run|TwoCallers|Panic|Cancel|Nested|LookAway|Life|Division|DisposeAfter|Ring|Queue|SPSC|.*BesideOrdinaryUse|Map)$' \
		"$@"
}

# visible writes an overlay in which the library is looked at by the race detector as a whole: without the
# directives that keep the detector away from what hidden locks protect in ordinary race builds.
visible() {
	local f n=0 sep=
	mkdir -p "$scratch/visible"
	{
		printf '{"Replace":{'
		for f in $(grep -l '^//go:norace$' $(printf '%s/*.go ' "${covered[@]}") | grep -v _test.go); do
			n=$((n + 1))
			sed 's,^//go:norace$,//,' "$f" >"$scratch/visible/$n.go"
			printf '%s"%s":"%s"' "$sep" "$PWD/$f" "$scratch/visible/$n.go"
			sep=,
		done
		printf '}}'
	} >"$scratch/visible/overlay.json"
	[ $n -gt 0 ] || { echo "no file has the directive: is it spelt otherwise now?" && return 1; }
}

# explored_race GOAL SCALE [MOST] runs the explored tests on goroutines, under the race detector, and of what the other build searches
# to the end no more than MOST schedules, and as many that are random.
explored_race() {
	local -x CUSTODY_SEARCH=${3-}
	visible && explored "$1" "$2" schedules -race -overlay "$scratch/visible/overlay.json" &&
		go test -count=1 -race -tags custody_explore ./internal/explore/ring
}

# stressed_race runs all tests over the engine that users run, which ordinary race builds swap for another.
stressed_race() {
	visible && go test -count=3 -timeout 1h -race -tags custody_explore -overlay "$scratch/visible/overlay.json" \
		./array ./counter ./hashmap ./lane ./parallelfor ./queue ./safety ./table
}
