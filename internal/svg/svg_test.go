package svg_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/svg"
)

func drawn(t *testing.T, p *svg.Picture) string {
	t.Helper()
	var b strings.Builder
	_, err := p.WriteTo(&b)
	require.NoError(t, err)
	return b.String()
}

func overlaps(t *testing.T, p *svg.Picture) []string {
	t.Helper()
	lines, err := svg.Overlaps(strings.NewReader(drawn(t, p)))
	require.NoError(t, err)
	return lines
}

func TestTextsThatOverlapAreFound(t *testing.T) {
	p := svg.New(200, 100, "a & b")
	p.Text("", svg.Normal, 10, 20, svg.Start, "first")
	p.Text("", svg.Normal, 50, 20, svg.Start, "second")
	p.Text("", svg.Normal, 50, 34, svg.Start, "below it")
	p.Rect(svg.Colour(0), 0, 0, 200, 100, "boxes are no texts")
	require.Empty(t, overlaps(t, p))

	p = svg.New(200, 100, "")
	p.Text("", svg.Normal, 10, 20, svg.Start, "first")
	p.Text("", svg.Normal, 35, 20, svg.Start, "second")
	p.Text("", svg.Small, 33, 30, svg.Start, "too close")
	require.Equal(t, []string{`"first" overlaps "second"`, `"first" overlaps "too close"`, `"second" overlaps "too close"`}, overlaps(t, p))
}

func TestTextsThatLeaveThePictureAreFound(t *testing.T) {
	p := svg.New(200, 100, "")
	p.Text("", svg.Normal, 190, 20, svg.Start, "right")
	p.Text("", svg.Normal, 10, 50, svg.End, "left")
	p.Text("", svg.Normal, 100, 5, svg.Middle, "top")
	p.Text("", svg.Normal, 100, 99, svg.Middle, "bottom")
	p.Text("", svg.Normal, 100, 50, svg.Middle, "inside")
	require.Equal(t, []string{`"right" leaves the picture`, `"left" leaves the picture`, `"top" leaves the picture`, `"bottom" leaves the picture`}, overlaps(t, p))
}

func TestWhatCannotBePlacedIsAnError(t *testing.T) {
	for _, text := range []string{
		"",
		"<svg",
		"<svg/>",
		"<svg viewBox='0 0 nine 9'/>",
		"<svg viewBox='0 0 9 9'><text x='1' y='1'>a<tspan>b</tspan></text></svg>",
		"<svg viewBox='0 0 9 9'><text x='1' y='1' transform='rotate(9)'>a</text></svg>",
		"<svg viewBox='0 0 9 9'><g transform='scale(2)'><text x='1' y='1'>a</text></g></svg>",
		"<svg viewBox='0 0 9 9'><text x='1' y='1' style='font-size:99px'>a</text></svg>",
		"<svg viewBox='0 0 9 9'><text x='1' y='1' font-size='2em'>a</text></svg>",
	} {
		_, err := svg.Overlaps(strings.NewReader(text))
		require.Error(t, err, text)
	}
}

// Sizes and anchors come from the elements around a text too.
func TestSizesAreThoseOfTheElementsAround(t *testing.T) {
	const text = `<svg viewBox="0 0 100 100"><g font-size="40px" text-anchor="end"><text x="90" y="50">ab</text></g><text x="1" y="50" font-size="10">ab</text></svg>`
	lines, err := svg.Overlaps(strings.NewReader(text))
	require.NoError(t, err)
	require.Empty(t, lines)
	lines, err = svg.Overlaps(strings.NewReader(strings.ReplaceAll(text, `x="1"`, `x="30"`)))
	require.NoError(t, err)
	require.Len(t, lines, 1)
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		most   int
		want   []float64
	}{
		{0, 100, 6, []float64{0, 20, 40, 60, 80, 100}},
		{0, 99, 6, []float64{0, 20, 40, 60, 80}},
		{0, 1, 6, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{0, 12, 8, []float64{0, 2, 4, 6, 8, 10, 12}},
		{3, 7, 2, []float64{4, 6}},
	} {
		require.InDeltaSlice(t, c.want, svg.Ticks(c.lo, c.hi, c.most), 1e-9)
	}
	require.InDeltaSlice(t, []float64{0.1, 0.2, 0.5, 1, 2, 5, 10}, svg.LogTicks(0.1, 10, 8), 1e-9)
	require.InDeltaSlice(t, []float64{0.1, 1, 10}, svg.LogTicks(0.1, 10, 4), 1e-9)
	require.InDeltaSlice(t, []float64{1e-6, 1e-3, 1, 1e3}, svg.LogTicks(1e-6, 1e4, 4), 1e-9)
}

func TestTextsAreFitted(t *testing.T) {
	require.Equal(t, "short", svg.Fit("short", 10, 100))
	fitted := svg.Fit(strings.Repeat("long ", 20), 10, 100)
	require.Regexp(t, `^long long.*…$`, fitted)
	require.LessOrEqual(t, svg.Width(fitted, 10), 100.0)
	require.Greater(t, svg.Width("W", 10), svg.Width("i", 10))
}
