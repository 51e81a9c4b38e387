//go:build (race && !custody_explore) || custody_strict

package safety

// Enabled says whether custody is checked in this build.
const Enabled = true

// Strict says whether every single access is checked in this build.
const Strict = true
