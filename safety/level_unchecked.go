//go:build custody_unchecked && !custody_strict && (!race || custody_explore)

package safety

// Enabled says whether custody is checked in this build.
const Enabled = false

// Strict says whether every single access is checked in this build.
const Strict = false
