# What other programs say of the source, and whether it may move: to another path, to the next release of Go. Sourced by run and full.

staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2
govulncheck=golang.org/x/vuln/cmd/govulncheck@v1.9.0

# tool PACKAGE@VERSION installs a program for this run. The module cache keeps its source, so that only the first run needs the network.
tool() {
	local name=${1%@*}
	[ -x "$scratch/bin/${name##*/}" ] && return
	if ! GOBIN=$scratch/bin go install "$1" >"$scratch/install" 2>&1; then
		tail -n 5 "$scratch/install"
		echo "${name##*/} cannot be installed: go install $1"
		return 1
	fi
}

# static has staticcheck look at every module, and at what each level builds otherwise of the library: what is unused is used by no level. It
# type-checks what is imported from its source, as fromsource does, so nothing is compiled.
static() {
	local bad=0 m t
	tool $staticcheck && go -C vet build -o "$scratch/fromsourcedriver" ./cmd/fromsourcedriver || return 1
	local -x CGO_ENABLED=0 GOPACKAGESDRIVER=$scratch/fromsourcedriver EXPORTS=$scratch/exports
	for m in "${modules[@]}" vet vet/testdata; do
		mkdir -p "$EXPORTS" "$scratch/found"
		each looked "$m" checked ./...
		for t in "${tags[@]}"; do
			[ "$m" != . ] || each looked . "$t" -tags="$t" $(otherwise -tags="$t")
		done
		(cd "$m" && "$scratch/bin/staticcheck" -merge "$scratch"/found/*) || bad=1
		rm -r "$EXPORTS" "$scratch/found"
	done
	return $bad
}

# looked MODULE NAME FLAGS... keeps what staticcheck finds.
looked() {
	local m=$1 name=$2 checks=inherit
	shift 2
	[ "$m" != vet/testdata ] || checks=inherit,-U1000 # what the analyzers are tried on is there to be looked at
	(cd "$m" && "$scratch/roomy" "$scratch/bin/staticcheck" -checks "$checks" -f binary "$@") >"$scratch/found/$name"
}

# vulnerable asks the database of known vulnerabilities which of them the modules' code reaches. Without the database it says so.
vulnerable() {
	local bad=0 m status
	tool $govulncheck || return 1
	for m in "${modules[@]}" vet; do
		(cd "$m" && timeout 300 "$scratch/bin/govulncheck" -test ./...) >"$scratch/vulnerable" 2>&1
		status=$?
		if [ $status != 0 ] && [ $status != 3 ] && grep -q 'fetching vulnerabilities' "$scratch/vulnerable"; then
			echo "skipped: the database of vulnerabilities cannot be reached"
			return $bad
		fi
		[ $status = 0 ] || { cat "$scratch/vulnerable" && bad=1; }
	done
	return $bad
}

# modern fails when go fix would write something otherwise.
modern() {
	local bad=0 m
	for m in "${modules[@]}" vet; do
		go -C "$m" fix -diff ./... >"$scratch/modern" || bad=1
		[ ! -s "$scratch/modern" ] || { cat "$scratch/modern" && bad=1; }
	done
	return $bad
}

# renamed gives a copy of the tree another path, in which nothing may be wrong or call itself by the old one, and renames it back.
renamed() (
	mkdir "$scratch/renamed" && tar --exclude=./.git -cf - . | tar -C "$scratch/renamed" -xf - || exit 1
	from=$PWD home=example.org/other bad=0 # in two parts, for here stands none of the new path
	cd "$scratch/renamed" && .ci/rename $home/name || exit 1
	if grep -rnIF -e "$module" .; then
		echo "is what the module is called still" && bad=1
	fi
	each formatted
	for m in "${modules[@]}" vet; do
		each go -C "$m" list -deps -test ./... >"$scratch/imports" # all that is imported is there
	done
	each fromsource .
	each go test ./internal/atom ./lane
	each go test -run 'Arrows|Documented' ./internal/gates
	each go -C vet test ./...
	.ci/rename "$module" && diff -r --exclude=.git "$from" . || bad=1
	exit $bad
)

# nextgo MODULE... builds modules with the newest release of Go, or the candidate for the next one, unless that is what runs.
nextgo() { newest builds_here "$@"; }

# nextvet MODULE... vets them with it.
nextvet() { newest fromsource "$@"; }

builds_here() { go -C "$1" build ./...; }

# newest COMMAND MODULE... runs a command for each module with the newest Go, and says so where there is none.
newest() {
	local command=$1 bad=0 m newest
	shift
	newest=go$(timeout 60 go list -m -versions go 2>/dev/null | tr ' ' '\n' | tail -n 1)
	if [ "$newest" = go ]; then
		echo "skipped: which releases there are cannot be asked"
		return
	fi
	if [ "$newest" = "$(go env GOVERSION)" ]; then
		echo "skipped: $newest is what runs"
		return
	fi
	local -x GOTOOLCHAIN=$newest
	if ! timeout 120 go version; then
		echo "skipped: $newest cannot be had"
		return
	fi
	mv "$scratch/fromsource" "$scratch/fromsource.here" 2>/dev/null
	for m in "$@"; do
		each "$command" "$m"
	done
	rm -f "$scratch/fromsource"
	mv "$scratch/fromsource.here" "$scratch/fromsource" 2>/dev/null
	return $bad
}
