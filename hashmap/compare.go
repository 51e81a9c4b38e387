package hashmap

import (
	"cmp"
	"reflect"
	"strings"
)

// comparer returns what compares keys of a type, or nil where it has no order: numbers but complex ones, strings, bools, and arrays
// and structs of these have one.
func comparer[K any]() func(a, b K) int {
	var f any
	switch any(*new(K)).(type) {
	case int:
		f = cmp.Compare[int]
	case int32:
		f = cmp.Compare[int32]
	case int64:
		f = cmp.Compare[int64]
	case uint32:
		f = cmp.Compare[uint32]
	case uint64:
		f = cmp.Compare[uint64]
	case string:
		f = strings.Compare
	}
	if f, ok := f.(func(a, b K) int); ok {
		return f
	}
	t := reflect.TypeFor[K]()
	if !hasOrder(t) {
		return nil
	}
	return func(a, b K) int { return compare(t, reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem()) }
}

// hasOrder says whether the values of a type have an order.
func hasOrder(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return hasOrder(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !hasOrder(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Bool, reflect.String:
		return true
	}
	return t.Kind() <= reflect.Float64 && t.Kind() != reflect.Invalid
}

// compare compares two values of a type that has an order.
func compare(t reflect.Type, a, b reflect.Value) int {
	switch k := t.Kind(); {
	case k == reflect.Array:
		for i := range t.Len() {
			if c := compare(t.Elem(), a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
		return 0
	case k == reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).Name == "_" {
				continue
			}
			if c := compare(t.Field(i).Type, a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
		return 0
	case k == reflect.String:
		return strings.Compare(a.String(), b.String())
	case k == reflect.Bool:
		return truth(a.Bool()) - truth(b.Bool())
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	}
	return cmp.Compare(a.Float(), b.Float())
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
