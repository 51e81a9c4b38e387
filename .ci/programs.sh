# The example programs and the benchmarks' module: tested, run, and what they print looked at. Sourced by
# run and full.

# shows NAME PATTERN... fails unless the program's output has a line for every pattern.
shows() {
	local out=$scratch/$1.out bad=0 pattern
	shift
	for pattern; do
		grep -Eq -- "$pattern" "$out" || { echo "no line matches: $pattern" && bad=1; }
	done
	[ $bad = 0 ] || cat "$out"
	return $bad
}

# program NAME ARGUMENTS... runs an example, which is built once, and keeps what it prints.
program() {
	local name=$1
	shift
	[ -x "$scratch/programs/$name" ] || go -C examples build -o "$scratch/programs/" "./$name" || return 1
	(cd examples && "$scratch/programs/$name" "$@") >"$scratch/$name.out" 2>&1 || { cat "$scratch/$name.out" && return 1; }
}

codeindex() {
	local tree files
	tree=$(go env GOROOT)/src
	go -C examples run ./codeindex -verify -repeat 1 -top 0 -dir "$tree" >"$scratch/codeindex.out" || return 1
	files=$(find "$tree" -name '*.go' -type f | wc -l | sed ':a; s/\B[0-9]\{3\}\>/,&/; ta')
	shows codeindex "^ *\.go +$files " '^sequential +[0-9]' '^parallel +[0-9].* times as fast' '^verified: '
}

# searched compares what codeindex finds with what grep does; they walk in different orders.
searched() {
	local tree
	tree=$(go env GOROOT)/src
	program codeindex -dir "$tree" -ext go -grep '^func [A-Z][a-z]+Err' || return 1
	LC_ALL=C grep -rnIE --include='*.go' '^func [A-Z][a-z]+Err' "$tree" | LC_ALL=C sort >"$scratch/grep.out"
	[ -s "$scratch/grep.out" ] && LC_ALL=C sort "$scratch/codeindex.out" | diff - "$scratch/grep.out"
}

# queried compares the lines that an identifier stands in with those that grep finds it in as a word.
queried() {
	local tree
	tree=$(go env GOROOT)/src
	program codeindex -dir "$tree" -ext go -query ReadAll || return 1
	LC_ALL=C grep -rnwI --include='*.go' ReadAll "$tree" | LC_ALL=C sort >"$scratch/grep.out"
	[ -s "$scratch/grep.out" ] && LC_ALL=C sort "$scratch/codeindex.out" | diff - "$scratch/grep.out"
}

# indexed makes the index in both ways, and asks it.
indexed() {
	local tree
	tree=$(go env GOROOT)/src
	program codeindex -words -verify -repeat 1 -top 3 -dir "$tree" &&
		shows codeindex '^ +[0-9,]+  if$' '^sequential +[0-9]' '^parallel +[0-9].* times as fast' '^verified: ' &&
		program codeindex -query 'go* run' -verify -dir codeindex && shows codeindex '[0-9]+:' '^verified: '
}

# summed says what is in the tree, at one worker and at five, and draws that; the searches are verified, too.
summed() {
	local tree
	tree=$(go env GOROOT)/src/go
	program codeindex -stats -top 3 -workers 1 -dir "$tree" && cp "$scratch/codeindex.out" "$scratch/stats.out" || return 1
	program codeindex -stats -top 3 -workers 5 -dir "$tree" && diff "$scratch/stats.out" "$scratch/codeindex.out" || return 1
	program codeindex -stats -verify -top 3 -dir "$tree" -timeline "$scratch/run.svg" &&
		shows codeindex '^ +files +[0-9,]+ ' '^ +identifiers +[0-9,]+ .* different$' '^verified: ' && [ -s "$scratch/run.svg" ] || return 1
	program codeindex -grep '^func [A-Z]' -verify -dir "$tree" && shows codeindex '^verified: ' || return 1
	program codeindex -query 'func Parse*' -verify -dir "$tree" && shows codeindex '^verified: '
}

# simulated NAME ARGUMENTS... runs a simulation at one worker and at five, with other chunks: each time it compares itself with plain
# loops, and the checksums are equal.
simulated() {
	local name=$1 sum
	shift
	program "$name" "$@" -workers 1 && cat "$scratch/$name.out" && shows "$name" '^.*workers +[0-9].* times as fast$' '^verified: ' || return 1
	sum=$(grep -o 'checksum .*' "$scratch/$name.out")
	program "$name" "$@" -workers 5 -chunk 33 && shows "$name" "^verified: .*, $sum\$"
}

# small runs the programs of one screen; their tests look at what they print.
small() {
	local name
	for name in brightness countzeros customcontainer dedupe events groupby life maze outliers sessions telemetry tokens wordcount workers; do
		program "$name" && [ -s "$scratch/$name.out" ] || return 1
	done
	shows countzeros '^Execute\(i\) ' '^ExecuteBatch ' '^all ways counted the same$'
}

# wordcount counts the words of its own text, and of this repository's README as sort and uniq do.
wordcount() {
	program wordcount && shows wordcount '^271 words, 124 different$' '^29  the$' || return 1
	LC_ALL=C tr -cs 'A-Za-z' '\n' <README.md | LC_ALL=C tr 'A-Z' 'a-z' >"$scratch/words"
	program wordcount -top 0 "$scratch/words" || return 1
	sed -n 's/^\([0-9]*\)  \([a-z]*\)$/\1 \2/p' "$scratch/wordcount.out" >"$scratch/counted"
	grep . "$scratch/words" | LC_ALL=C sort | uniq -c | sed 's/^ *//' | LC_ALL=C sort -k1,1nr -k2 | diff - "$scratch/counted"
}

violations() {
	program violations && diff "$scratch/violations.out" examples/violations/testdata/violations.golden
}

# ratios FLAGS... runs the comparison; that its lines are JSON counts, that its pages come out of them again, and no ratio does.
ratios() {
	go -C bench run ./ratios "$@" -json "$scratch/ratios.json" -pages "$scratch/pages" || return 1
	go run ./internal/tools/jsonlines <"$scratch/ratios.json" || return 1
	go -C bench run ./ratios -from "$scratch/ratios.json" -pages "$scratch/again" &&
		diff -r "$scratch/pages" "$scratch/again" && ls "$scratch/pages/bench/plots"/*.svg
}

if [ -f examples/go.mod ]; then
	step "tests of the examples: go -C examples test ./..." go -C examples test ./...
	step "tests of the violations, strict level" go -C examples test -tags custody_strict ./violations
	step "example codeindex over the Go source tree" codeindex
	step "example codeindex finds what grep finds" searched
	step "example codeindex finds the words that grep finds" queried
	step "example codeindex makes one index in two ways" indexed
	step "example codeindex says the same at one worker and five" summed
	for name in components eventsim fixedupdate projectiles spatialhash; do
		step "example $name at one worker and five" simulated "$name" -n 5000 -steps 20
	done
	for name in locate rasterizer router; do
		step "example $name at one worker and five" simulated "$name" -n 100 -steps 3
	done
	step "examples of one screen" small
	step "example wordcount" wordcount
	step "example violations" violations
fi
if [ -f bench/go.mod ]; then
	step "tests of the benchmarks: go -C bench test ./..." go -C bench test ./...
fi

# vetted has the analyzers look at the examples: they find what is wrong in the one that is wrong, and nothing elsewhere.
vetted() {
	local clean
	go -C vet build -o "$scratch/custodyvet" ./cmd/custodyvet || return 1
	clean=$(go -C examples list ./... | grep -v '/violations$')
	go -C examples vet -vettool="$scratch/custodyvet" $clean || return 1
	if go -C examples vet -vettool="$scratch/custodyvet" ./violations 2>"$scratch/vetted"; then
		echo "nothing was found in the violations" && return 1
	fi
	grep -c 'custody.go\|nested.go\|views.go' "$scratch/vetted"
}
step "tests of the analyzers: go -C vet test ./..." go -C vet test ./...
step "the analyzers on the examples" vetted
