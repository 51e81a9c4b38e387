package safety_test

import (
	"fmt"
	"reflect"
	"strings"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// blur reads a mask if it has one.
type blur struct {
	Out  array.Writer[int]
	Mask safety.Optional[array.Reader[bool]]
}

func (j *blur) Execute(i int) {
	if mask, ok := j.Mask.View(); ok && !mask.At(i) {
		return
	}
	j.Out.Set(i, 1)
}

func ExampleOptional() {
	out, mask := array.New[int](3), array.Of([]bool{true, false, true})
	parallelfor.For(3, blur{Out: out.Writer(), Mask: safety.Some(mask.Reader())}, (*blur).Execute)
	fmt.Println(out.Slice())
	parallelfor.For(3, blur{Out: out.Writer()}, (*blur).Execute) // without a mask
	fmt.Println(out.Slice())
	// Output:
	// [1 0 1]
	// [1 1 1]
}

// carried names the fields of a job, to which it has a pointer, that carry a view. A driver claims
// them.
func carried(job any) (fields []string) {
	v := reflect.ValueOf(job).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		_, is := f.Addr().Interface().(safety.View)
		if strings.HasPrefix(f.Type().Name(), "Optional[") {
			is = f.Field(0).Bool() // otherwise the job does without
		}
		if !is {
			continue
		}
		fields = append(fields, v.Type().Field(i).Name)
	}
	return fields
}

func ExampleOptional_driver() {
	out, mask := array.New[int](3), array.New[bool](3)
	fmt.Println(carried(&blur{Out: out.Writer(), Mask: safety.Some(mask.Reader())}))
	fmt.Println(carried(&blur{Out: out.Writer()}))
	// Output:
	// [Out Mask]
	// [Out]
}

// Containers have to be disposed of, where that is asked for.
func ExampleSetLeakMode() {
	if !safety.Enabled { // nothing is tracked
		fmt.Println(`array.Array[int] "b"`)
		return
	}
	defer safety.SetLeakMode(safety.SetLeakMode(safety.LeaksOn))
	a := array.New[int](3, safety.Named("a"))
	b := array.New[int](3, safety.Named("b"))
	a.Dispose()
	for _, l := range safety.Leaks() {
		if l.Container != "" { // others are jobs that were not completed
			fmt.Println(l.Container)
		}
	}
	b.Dispose()
	// Output: array.Array[int] "b"
}
