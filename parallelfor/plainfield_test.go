package parallelfor_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// digest is a type that is plain because the program says so.
type digest struct{ words [2]uint64 }

func init() { parallelfor.Immutable[digest]() }

// plains is a job with a plain field of every sort; Execute writes the one that it is told to, in
// one batch.
type plains struct {
	Out    array.Writer[int]
	Do     func(j *plains) `custody:"unguarded"`
	At     int
	Byte   byte
	Wide   float64
	Text   string
	Grid   [2]struct{ A, B int8 }
	When   time.Time
	Prefix netip.Prefix
	Sum    digest
	More   []struct {
		In   array.Reader[int]
		Best int
	}
	Maybe safety.Optional[struct {
		In   array.Reader[int]
		Best int
	}]
	Scratch []int `custody:"unguarded"`
	_       int
}

func (j *plains) Execute(i int) {
	j.Out.Set(i, i)
	if i == j.At {
		j.Do(j)
	}
}

func TestStrictBuildsFindPlainFieldsThatAreWritten(t *testing.T) {
	if !safety.Strict {
		t.Skip("strict builds only")
	}
	in, out := array.New[int](40), array.New[int](40)
	job := func(do func(j *plains)) plains {
		some := struct {
			In   array.Reader[int]
			Best int
		}{In: in.Reader()}
		return plains{Out: out.Writer(), Do: do, At: 17, Wide: 1, Text: "a", When: time.Unix(1, 2), More: []struct {
			In   array.Reader[int]
			Best int
		}{some, some}, Maybe: safety.Some(some)}
	}
	for field, do := range map[string]func(j *plains){
		"At":           func(j *plains) { j.At++ },
		"Sum":          func(j *plains) { j.Sum.words[1] = 1 },
		"Byte":         func(j *plains) { j.Byte = 1 },
		"Wide":         func(j *plains) { j.Wide = 2 },
		"Text":         func(j *plains) { j.Text = "b" },
		"Grid[1].B":    func(j *plains) { j.Grid[1].B = 1 },
		"When":         func(j *plains) { j.When = j.When.Add(1) },
		"Prefix":       func(j *plains) { j.Prefix = netip.MustParsePrefix("10.0.0.0/8") },
		"More[1].Best": func(j *plains) { j.More[1].Best = 1 },
		"More":         func(j *plains) { j.More = j.More[:1] },
		"Maybe": func(j *plains) {
			j.Maybe = safety.Optional[struct {
				In   array.Reader[int]
				Best int
			}]{}
		},
		"Maybe.Best": func(j *plains) { v, _ := j.Maybe.View(); v.Best = 1 },
	} {
		t.Run(field, func(t *testing.T) {
			for _, o := range []parallelfor.Option{parallelfor.Sequential(), parallelfor.Workers(1), parallelfor.Workers(3), parallelfor.Batch(-1)} {
				out.Clear()
				v := violation(t, safety.ErrPlainField, func() { parallelfor.For(40, job(do), (*plains).Execute, o, parallelfor.Name("plains")) })
				require.Equal(t, field, v.Field)
				require.Equal(t, "plains", v.Job)
				require.Equal(t, 16, out.At(16), "batches below are executed")
			}
			parallelfor.For(40, job(func(*plains) {}), (*plains).Execute)
		})
	}
	parallelfor.For(40, job(func(j *plains) { j.Scratch = append(j.Scratch, 1) }), (*plains).Execute)
	parallelfor.For(40, job(func(j *plains) { at := j.At; j.At = 0; j.At = at }), (*plains).Execute)
	require.Equal(t, 39, out.At(39))
}

func TestAJobThatIsAPlainValueIsNotWritten(t *testing.T) {
	if !safety.Strict {
		t.Skip("strict builds only")
	}
	parallelfor.For(10, 3, func(p *int, i int) { require.Equal(t, 3, *p) })
	v := violation(t, safety.ErrPlainField, func() { parallelfor.For(10, 3, func(p *int, i int) { *p = i }) })
	require.Empty(t, v.Field)
	require.Contains(t, v.Error(), "wrote its value")
}

// A worker that goes on to batches below the one that failed finds the job as it was, whatever
// failed.
func TestAFailedBatchIsNotBlamedForPlainFields(t *testing.T) {
	out := array.New[int](40)
	for seed := range uint64(20) {
		func() {
			defer handout.Force(seed)()
			out.Clear()
			p := panicked(t, func() {
				parallelfor.For(40, plains{Out: out.Writer(), At: 30, Do: func(j *plains) { j.Byte = 7; panic("thirty") }}, (*plains).Execute, parallelfor.Batch(1), parallelfor.Workers(2))
			})
			require.Equal(t, "thirty", p.Value)
			require.Equal(t, 29, out.At(29))
			if !safety.Strict {
				return
			}
			out.Clear()
			v := violation(t, safety.ErrPlainField, func() {
				parallelfor.For(40, plains{Out: out.Writer(), At: 30, Do: func(j *plains) { j.Byte = 7 }}, (*plains).Execute, parallelfor.Batch(1), parallelfor.Workers(2))
			})
			require.Equal(t, "Byte", v.Field)
			require.Equal(t, 29, out.At(29))
		}()
	}
}
