//go:build race && !custody_explore

package atom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

func TestRaceIsKnown(t *testing.T) { require.True(t, atom.Race) }
