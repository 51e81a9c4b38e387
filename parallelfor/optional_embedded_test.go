package parallelfor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type maskedParts struct {
	X int
	safety.Optional[array.Reader[int]]
	Out array.Writer[int]
}

// embedding is a job in which Optionals are embedded: it is not one itself.
type embedding struct {
	Name string
	maskedParts
	Sum *int
}

func (*embedding) Execute(int) {}

type embeddingWell struct {
	Name  string
	Parts maskedParts
}

func (j *embeddingWell) Execute(i int) {
	if mask, ok := j.Parts.View(); ok && mask.At(i) != 0 {
		j.Parts.Out.Set(i, j.Parts.X)
	}
}

func TestAStructThatEmbedsAnOptionalIsNotOne(t *testing.T) {
	out, mask := array.New[int](10), array.New[int](10)
	mask.Set(3, 1)
	parts := maskedParts{X: 7, Optional: safety.Some(mask.Reader()), Out: out.Writer()}
	v := violation(t, safety.ErrField, func() { parallelfor.For(10, embedding{maskedParts: parts, Sum: new(int)}, (*embedding).Execute) })
	require.Equal(t, "Sum", v.Field)
	parallelfor.For(10, embeddingWell{"a", parts}, (*embeddingWell).Execute)
	require.Equal(t, []int{0, 0, 0, 7, 0, 0, 0, 0, 0, 0}, out.Slice())
	parallelfor.For(10, embeddingWell{"a", maskedParts{Out: out.Writer()}}, (*embeddingWell).Execute)
}
