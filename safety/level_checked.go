//go:build !custody_strict && !custody_unchecked && (!race || custody_explore)

package safety

// Enabled says whether custody is checked in this build.
const Enabled = true

// Strict says whether every single access is checked in this build.
const Strict = false
