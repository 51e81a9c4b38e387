package vet

import (
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// JobField reports jobs whose fields hold containers.
var JobField = &analysis.Analyzer{
	Name: "custodyjobfield",
	Doc: `report jobs with a field that holds a container

A job declares by a view what it does with a container. A container in a field declares nothing, so
the call that runs or schedules the job refuses it.`,
	Run: jobField,
}

func jobField(pass *analysis.Pass) (any, error) {
	for id, inst := range pass.TypesInfo.Instances {
		f, ok := pass.TypesInfo.Uses[id].(*types.Func)
		if !ok || !from(f.Pkg(), "parallelfor") && !overRows(f) {
			continue
		}
		for _, k := range jobs(f) {
			t := inst.TypeArgs.At(k)
			if _, ok := t.Underlying().(*types.Struct); !ok {
				continue
			}
			if path, of := containerIn(t, "", nil); of != nil {
				name := types.TypeString(t, types.RelativeTo(pass.Pkg))
				pass.Reportf(id.Pos(), "job %s has field %s, which is a container: carry a view of it, such as what Reader() returns", name, path)
			}
		}
	}
	return nil, nil
}

// containerIn returns the path and the type of the first field of t that is or holds a container.
func containerIn(t types.Type, path string, within []types.Type) (string, types.Type) {
	for _, w := range within {
		if types.Identical(w, t) {
			return "", nil
		}
	}
	within = append(within, t)
	if isView(t) {
		return "", nil // a view has its container inside
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			f := u.Field(i)
			if shares(u.Tag(i)) {
				continue
			}
			at := f.Name()
			if path != "" {
				at = path + "." + at
			}
			if refersToContainer(f.Type()) && !isView(f.Type()) {
				return at, f.Type()
			}
			if p, of := containerIn(f.Type(), at, within); of != nil {
				return p, of
			}
		}
	case *types.Array:
		return elementIn(u.Elem(), path, within)
	case *types.Slice:
		return elementIn(u.Elem(), path, within)
	}
	return "", nil
}

func elementIn(t types.Type, path string, within []types.Type) (string, types.Type) {
	path += "[...]"
	if refersToContainer(t) {
		return path, t
	}
	return containerIn(t, path, within)
}
