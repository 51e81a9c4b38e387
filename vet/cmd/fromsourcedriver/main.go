// Fromsourcedriver is a GOPACKAGESDRIVER: it answers queries of programs that use
// golang.org/x/tools/go/packages. Such programs need the types of imported packages as the compiler
// exports them, for which the go command would compile all packages and their tests.
// Fromsourcedriver type-checks the packages from source instead, and writes their types in a form
// that such programs also read. The files go into the directory named by the environment variable
// EXPORTS.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo

func main() {
	if err := answer(os.Getenv("EXPORTS"), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fromsourcedriver:", err)
		os.Exit(1)
	}
}

// answer reads a query from the standard input and writes the description of the packages that
// match the patterns.
func answer(exports string, patterns []string) error {
	var asked packages.DriverRequest
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		return err
	}
	roots, err := packages.Load(&packages.Config{
		Mode:       mode,
		Env:        append(asked.Env, "GOPACKAGESDRIVER=off"),
		BuildFlags: asked.BuildFlags,
		Tests:      asked.Tests,
		Overlay:    asked.Overlay,
	}, patterns...)
	if err != nil {
		return err
	}
	said := packages.DriverResponse{Compiler: "gc", Arch: cmp.Or(os.Getenv("GOARCH"), runtime.GOARCH)}
	for _, p := range roots {
		said.Roots = append(said.Roots, p.ID)
	}
	dir, err := os.MkdirTemp(exports, "")
	if err != nil {
		return err
	}
	packages.Visit(roots, nil, func(p *packages.Package) {
		if p.ID != "unsafe" && len(p.Errors) == 0 && err == nil {
			p.ExportFile = filepath.Join(dir, fmt.Sprint(len(said.Packages)))
			err = export(p)
		}
		said.Packages = append(said.Packages, p)
	})
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(&said)
}

// export writes the types of a package.
func export(p *packages.Package) error {
	var b bytes.Buffer
	if err := gcexportdata.Write(&b, p.Fset, p.Types); err != nil {
		return fmt.Errorf("%s: %w", p.ID, err)
	}
	return os.WriteFile(p.ExportFile, b.Bytes(), 0o666)
}
