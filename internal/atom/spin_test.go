//go:build !custody_explore

package atom_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/custody/internal/atom"
)

func TestSpinEndsAfterItsTime(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	start, looks := time.Now(), 0
	for s := (atom.Spin{}); s.More(); looks++ {
	}
	assert.GreaterOrEqual(t, time.Since(start), atom.SpinTime)
	assert.Positive(t, looks)
}

func TestSpinIsFutileOnOneProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	assert.False(t, new(atom.Spin).More())
}
