# Schedules: every explored test, in two engines. Sourced by run and full.

# explored GOAL FLAGS... runs the explored tests and fails when they ran fewer schedules than GOAL.
explored() {
	local goal=$1 count
	shift
	rm -f "$scratch/explored"
	CUSTODY_EXPLORED=$scratch/explored go test -count=1 -timeout 3h -tags custody_explore -run Explore "$@" ./... || return 1
	count=$(awk '{ n += $1 } END { printf "%d", n }' "$scratch/explored")
	echo "$count schedules of $(wc -l <"$scratch/explored") programs"
	[ "$count" -ge "$goal" ] || { echo "fewer than $goal" && return 1; }
}

# visible writes an overlay in which the library is looked at by the race detector as a whole: without the
# directives that keep the detector away from what hidden locks protect in ordinary race builds.
visible() {
	local f n=0 sep=
	mkdir -p "$scratch/visible"
	{
		printf '{"Replace":{'
		for f in $(grep -l '^//go:norace$' "${covered[@]/%//*.go}" 2>/dev/null | grep -v _test.go); do
			n=$((n + 1))
			sed 's,^//go:norace$,//,' "$f" >"$scratch/visible/$n.go"
			printf '%s"%s":"%s"' "$sep" "$PWD/$f" "$scratch/visible/$n.go"
			sep=,
		done
		printf '}}'
	} >"$scratch/visible/overlay.json"
	[ $n -gt 0 ] || { echo "no file has the directive: is it spelt otherwise now?" && return 1; }
}

# explored_race GOAL runs them on goroutines, under the race detector.
explored_race() {
	visible && explored "$1" -race -overlay "$scratch/visible/overlay.json"
}
