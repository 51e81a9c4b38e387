//go:build !custody_strict && !custody_unchecked && (!race || custody_explore)

package safety

// Enabled reports whether custody is checked in this build.
const Enabled = true

// Strict reports whether every access is checked in this build.
const Strict = false
