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
		program codeindex -query 'go* mod*' -verify -dir codeindex && shows codeindex '[0-9]+:'
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

# components makes the same steps at several numbers of workers, with other chunks and batches.
components() {
	local sum
	program components -n 20000 -steps 4 && cat "$scratch/components.out" &&
		shows components '^20000 entities of 4 archetypes in 20 chunks' '^plain loops +[0-9]' '^systems, 8 workers .* times as fast$' \
			'^ +bound +13000 +13 +[0-9.]+.*s +[0-9.]+.*s$' '^locate, .* looked at 20 chunks in the first step and at 13 in the last$' '^verified: ' || return 1
	sum=$(grep -o 'checksum .*' "$scratch/components.out")
	program components -n 20000 -steps 4 -chunk 100 -workers 3 -batch -1 && shows components "^verified: .*, $sum\$"
}

# customcontainer counts by all views, and says what is said about their misuses.
customcontainer() {
	program customcontainer -n 500000 -repeat 3 && cat "$scratch/customcontainer.out" &&
		shows customcontainer '^Writer ' '^Atomic, Execute' '^ParallelWriter, ExecuteBatch ' '^all ways counted the same$' || return 1
	program customcontainer -misuses && diff "$scratch/customcontainer.out" examples/customcontainer/testdata/misuses.golden
}

countzeros() {
	program countzeros -n 1000000 -repeat 3 && cat "$scratch/countzeros.out" &&
		shows countzeros '^Execute\(i\) ' '^ExecuteBatch ' '^all ways counted the same$'
}

# fixedupdate makes the same steps at several numbers of workers, with other chunks.
fixedupdate() {
	local sum
	program fixedupdate -n 3000 -steps 20 && cat "$scratch/fixedupdate.out" &&
		shows fixedupdate '^3000 objects at first; 20 steps' '^interface calls, sequential +[0-9]' '^columns, 8 workers .* times as fast$' \
			'hand back of a step$' '^refused: 2 nil items' '^verified: ' || return 1
	sum=$(grep -o 'checksum .*' "$scratch/fixedupdate.out")
	program fixedupdate -n 3000 -steps 20 -chunk 33 -workers 3 -trace "$scratch/steps.trace" && shows fixedupdate "^verified: .*, $sum\$" &&
		[ -s "$scratch/steps.trace" ]
}

# spatialhash makes the same run at two numbers of workers.
spatialhash() {
	local sum
	program spatialhash -n 20000 -steps 4 -workers 1 -verify && shows spatialhash '^verified: ' || return 1
	sum=$(grep '^checksum' "$scratch/spatialhash.out")
	program spatialhash -n 20000 -steps 4 -workers 5 -verify && shows spatialhash '^verified: ' "^$sum\$" '^query .* times as fast'
}

# projectiles makes the same frames at several numbers of workers, with other chunks, and draws the arcs. The numbers of lines in what it says of
# the job that does not wait are not compared.
projectiles() {
	local sum
	program projectiles -n 2000 -targets 50 -frames 20 -rounds 3 && cat "$scratch/projectiles.out" &&
		shows projectiles '^2000 guns, 50 targets, seed 1: 3 rounds of 20 frames' '^plain loops +[0-9]' '^jobs, 8 workers +[0-9].* times, best [0-9.]+$' '^verified: ' || return 1
	sum=$(grep -o 'checksum .*' "$scratch/projectiles.out")
	program projectiles -n 2000 -targets 50 -frames 60 -rounds 1 -chunk 100 -workers 3 && shows projectiles "^verified: .*, $sum\$" || return 1
	program projectiles -n 40 -targets 12 -png "$scratch/arcs.png" && [ -s "$scratch/arcs.png" ] || return 1
	program projectiles -missing-after && sed 's/\.go:[0-9]*/.go:N/g' "$scratch/projectiles.out" | diff - examples/projectiles/testdata/missing.golden
}

# router finds the same ways at two numbers of workers, in all its forms, and draws them and the ten jobs.
router() {
	local facts
	program router -verify -repeat 3 -workers 1 && shows router '^verified: ' '^timeline: 10 jobs in ' || return 1
	facts=$(grep -E '^checksum|^in rounds| (found|no way)$' "$scratch/router.out")
	program router -verify -repeat 3 -workers 5 -png "$scratch/ways.png" -timeline "$scratch/jobs.svg" &&
		shows router '^verified: ' '^a job for each goal .* times as fast' '^rounds, owners in parallel .* times as A' || return 1
	[ "$facts" = "$(grep -E '^checksum|^in rounds| (found|no way)$' "$scratch/router.out")" ] || { echo "other ways at 5 workers" && return 1; }
	[ -s "$scratch/ways.png" ] && [ "$(grep -c '<rect ' "$scratch/jobs.svg")" = 10 ] || return 1
	program router -rounds -size 300 -goals 3 -repeat 1 -verify && shows router '^verified: ' || return 1
	program router -missing-mark && diff "$scratch/router.out" examples/router/testdata/missing.golden
}

# wordcount counts the words of its own text, and of this repository's documents as sort and uniq do.
wordcount() {
	program wordcount -verify && shows wordcount '^271 words, 124 different ones$' '^ +29  the$' '^verified: ' || return 1
	LC_ALL=C tr -cs 'A-Za-z' '\n' <README.md | LC_ALL=C tr 'A-Z' 'a-z' >"$scratch/words"
	program wordcount -verify -top 0 -workers 3 "$scratch/words" || return 1
	sed -n 's/^ *\([0-9]*\)  \([a-z]*\)$/\1 \2/p' "$scratch/wordcount.out" >"$scratch/counted"
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
	step "example components" components
	step "example countzeros" countzeros
	step "example customcontainer" customcontainer
	step "example fixedupdate" fixedupdate
	step "example projectiles" projectiles
	step "example spatialhash at one worker and five" spatialhash
	step "example router at one worker and five" router
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
