//go:build custody_unchecked && !custody_strict && (!race || custody_explore)

package safety

// Enabled reports whether custody is checked in this build.
const Enabled = false

// Strict reports whether every access is checked in this build.
const Strict = false
