package builds

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServeSaysItsBuildAndAnswersEveryNumberWithATime(t *testing.T) {
	var out strings.Builder
	require.NoError(t, Serve("batches, 32k in cache", strings.NewReader("1\n3\n"), &out))
	lines := strings.Fields(out.String())
	require.Len(t, lines, 3)
	assert.Contains(t, []string{"checked", "unchecked"}, lines[0])
	for _, l := range lines[1:] {
		assert.Regexp(t, `^[1-9]\d*$`, l)
	}
}

func TestServeRefusesWhatItDoesNotKnow(t *testing.T) {
	assert.Error(t, Serve("nothing of the kind", strings.NewReader(""), &strings.Builder{}))
	assert.Error(t, Serve("batches, 32k in cache", strings.NewReader("many\n"), &strings.Builder{}))
}
