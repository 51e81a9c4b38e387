// Fromsourcedriver answers, as GOPACKAGESDRIVER, what programs that use golang.org/x/tools/go/packages ask of packages. They want the
// types of what is imported as the compiler leaves them, and compile all packages and their tests for that; here those are type-checked from
// their source and written in the form that such programs also read. The files are put into the directory that EXPORTS names.
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

// answer reads the question from the standard input and writes what is to be said of the packages of the patterns.
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
