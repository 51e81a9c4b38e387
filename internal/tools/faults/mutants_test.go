package main

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// changes returns what the operators make of a body, by the operators' names.
func changes(t *testing.T, body string) map[string][]string {
	mutants, err := mutate("a/a.go", []byte("package a\n\nfunc f(v int) {\n"+body+"\n}\n"))
	require.NoError(t, err)
	found := map[string][]string{}
	for _, m := range mutants {
		operator := strings.Split(m.name, ":")[2]
		found[operator] = append(found[operator], m.change)
	}
	return found
}

func TestOperators(t *testing.T) {
	for _, c := range []struct {
		operator, body string
		want           []string
	}{
		{"cas", "x.CompareAndSwap(1, v)", []string{"x.CompareAndSwap(1, v) => func() bool { if x.Load() != 1 { return false }; x.Store(v); return true }()"}},
		{"cas", "x.CompareAndSwap()", nil},
		{"recheck", "mu.Lock()\nif done { mu.Unlock(); return }\nmu.Unlock()", []string{"if done { mu.Unlock(); return } => _ = done"}},
		{"recheck", "if x.Load() == v { return }", []string{"if x.Load() == v { return } => _ = x.Load() == v"}},
		{"recheck", "if k := x.Load(); k == v { return }", []string{"if k := x.Load(); k == v { return } => { k := x.Load(); _ = k == v }"}},
		{"recheck", "if done { return }\nx.Load()", nil},
		{"recheck", "mu.Lock()\nif done { g() }", nil},
		{"recheck", "mu.Lock()\nif done { return } else { g() }", nil},
		{"swap", "x.Store(1)\ny.Store(2)", []string{"x.Store(1) ... y.Store(2) => y.Store(2) ... x.Store(1)"}},
		{"swap", "a, b := x.Load(), y.Load()", []string{"a ... b ... x.Load() ... y.Load() => b ... a ... y.Load() ... x.Load()"}},
		{"swap", "x.Store(1)\ng()", nil},
		{"swap", "x.Store(1)\ngo func() { y.Store(1) }()", nil},
		{"store", "x.Store(1)", []string{"x.Store(1) => nothing"}},
		{"lock", "mu.Lock()\ng()\nmu.Unlock()", []string{"mu.Lock() ... mu.Unlock() => _ = &mu ... _ = &mu"}},
		{"lock", "mu.Lock()\ndefer mu.Unlock()", []string{"mu.Lock() ... defer mu.Unlock() => _ = &mu ... _ = &mu"}},
		{"lock", "mu.Lock()", nil},
		{"bump", "x.Store(v+1)", []string{"v+1 => v"}},
		{"bump", "v++", []string{"v++ => _ = v"}},
		{"bump", "w += v", []string{"w += v => _ = v"}},
		{"bump", "for i := 0; i < v; i++ {}", nil},
		{"off", "g(v - 1)", []string{"v - 1 => v - 2"}},
		{"compare", "_ = v == 1", []string{"v == 1 => v >= 1"}},
		{"compare", "_ = v < 1", []string{"v < 1 => v <= 1"}},
		{"compare", "_ = v != 1", []string{"v != 1 => v < 1"}},
		{"compare", "_ = v != nil", nil},
		{"operand", "_ = a && b", []string{"a && b => a", "a && b => b"}},
		{"operand", "_ = safety.Strict && b", []string{"safety.Strict && b => safety.Strict"}},
		{"operand", "_ = !Enabled || b", []string{"!Enabled || b => !Enabled"}},
		{"negate", "if v == 1 { g() }", []string{"v == 1 => !(v == 1)"}},
		{"clear", "p = nil", []string{"nil => p"}},
		{"clear", "p[i] = record{}", []string{"record{} => p[i]"}},
		{"clear", "p = p[:0]", []string{"p[:0] => p"}},
		{"clear", "clear(p)", []string{"clear(p) => nothing"}},
		{"clear", "p = q[:0]", nil},
		{"clear", "p := nil", nil},
		{"call", "r.wake()", []string{"r.wake() => nothing"}},
		{"call", "atom.Acquire(p)\npanic(v)\nmu.Unlock()", nil},
		{"defer", "defer g()", []string{"defer g() => nothing"}},
	} {
		require.Equal(t, c.want, changes(t, c.body)[c.operator], "%s in %q", c.operator, c.body)
	}
}

// A mutant differs from the file, from all others, and still is Go.
func TestMutantsAreGoAndDiffer(t *testing.T) {
	texts := map[string]string{}
	names := map[string]bool{}
	all, err := generate("../../..", nil)
	require.NoError(t, err)
	require.Greater(t, len(all), 150)
	for _, m := range all {
		_, err := parser.ParseFile(token.NewFileSet(), m.name, m.text, 0)
		require.NoError(t, err, m.name)
		require.Empty(t, texts[m.file+string(m.text)], "%s is the same", m.name)
		texts[m.file+string(m.text)] = m.name
		require.False(t, names[m.name], m.name)
		names[m.name] = true
		require.NotEmpty(t, m.trials)
	}
}

func TestNamesStayWhileOtherFunctionsChange(t *testing.T) {
	const f = "func (l *list[T]) f(v int) { v++; if v > 1 { v++ } }\n"
	names := func(text string) (names []string) {
		mutants, err := mutate("a/a.go", []byte(text))
		require.NoError(t, err)
		for _, m := range mutants {
			if strings.Contains(m.name, "list.f") {
				names = append(names, m.name)
			}
		}
		return names
	}
	want := []string{"a/a.go:list.f:bump:1", "a/a.go:list.f:negate:1", "a/a.go:list.f:compare:1", "a/a.go:list.f:bump:2"}
	require.ElementsMatch(t, want, names("package a\n"+f))
	require.ElementsMatch(t, want, names("package a\nfunc g(v int) { v++ }\n"+f+"func h(v int) { v-- }\n"))
}

func TestFileThatIsNotGoOrNotThere(t *testing.T) {
	_, err := mutate("a/a.go", []byte("package"))
	require.Error(t, err)
	_, err = generate("../../..", []string{"no/such.go"})
	require.Error(t, err)
}
