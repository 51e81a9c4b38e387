package report_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
)

func row(ratio, bar float64) report.Row {
	return report.Row{Group: "g", Work: "w", Ours: 2, Limit: 1, Ratio: measure.Estimate{Median: ratio, Lo: ratio / 2, Hi: ratio * 2}, Bar: bar}
}

func TestARowHoldsWhenItsRatioIsAtMostItsBar(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*report.Row)
		ok     bool
	}{
		{"at the bar", func(*report.Row) {}, true},
		{"above", func(r *report.Row) { r.Ratio.Median = 1.31 }, false},
		{"above, but not told from noise", func(r *report.Row) { r.Ratio.Median, r.Lower = 1.31, true }, true},
		{"told from noise", func(r *report.Row) { r.Ratio.Lo, r.Lower = 1.31, true }, false},
		{"not a number", func(r *report.Row) { r.Ratio.Median = math.NaN() }, false},
		{"bar 0, nothing counted", func(r *report.Row) { r.Ratio, r.Bar = measure.Estimate{}, 0 }, true},
		{"bar 0, something counted", func(r *report.Row) { r.Ratio.Median, r.Bar = 0.01, 0 }, false},
		{"information", func(r *report.Row) { r.Ratio.Median, r.Info = 99, true }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := row(1.3, 1.3)
			c.change(&r)
			assert.Equal(t, c.ok, r.OK())
		})
	}
}

// A miss is for sure when the whole interval is above the bar.
func TestWhatMissesItsBarIsPerhapsMet(t *testing.T) {
	for _, c := range []struct {
		median, lo, bar float64
		perhaps         bool
	}{{2, 1, 1.3, true}, {2, 1.3, 1.3, true}, {2, 1.31, 1.3, false}, {1.3, 1, 1.3, false}, {math.NaN(), 1.4, 1.3, false}} {
		r := row(c.median, c.bar)
		r.Ratio.Lo = c.lo
		assert.Equal(t, c.perhaps, r.Perhaps(), c)
	}
	r := row(2, 1.3)
	r.Ratio.Lo, r.Lower = 1.31, true
	assert.False(t, r.Perhaps())
}

func TestJSONIsOneLineForEachRow(t *testing.T) {
	var b strings.Builder
	require.NoError(t, report.JSON(&b, []report.Row{row(2, 1.3), row(1, 1.3)}))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	require.Len(t, lines, 2)
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &got))
	assert.Equal(t, map[string]any{"group": "g", "work": "w", "unit": "ns", "ours_ns": 2.0, "ours_side": "", "limit_ns": 1.0, "limit": "",
		"peer": "", "peer_ns": 0.0, "ratio": 2.0, "ratio_lo": 1.0, "ratio_hi": 4.0, "bar": 1.3, "info": false, "lower": false, "ok": false}, got)
}

func TestTableMarksMissesAndInformation(t *testing.T) {
	info := row(7, 0)
	info.Info = true
	var b strings.Builder
	require.NoError(t, report.Table(&b, []report.Row{row(2, 1.3), row(1, 1.3), info}))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	require.Len(t, lines, 4)
	for i, end := range []string{"beside them", "NO", "yes", "info"} {
		assert.True(t, strings.HasSuffix(strings.TrimSpace(lines[i]), end), lines[i])
	}
}
