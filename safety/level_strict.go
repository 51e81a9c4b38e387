//go:build (race && !custody_explore) || custody_strict

package safety

// Enabled reports whether custody is checked in this build.
const Enabled = true

// Strict reports whether every access is checked in this build.
const Strict = true
