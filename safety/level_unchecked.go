//go:build custody_unchecked && !race && !custody_strict

package safety

// Enabled says whether custody is checked in this build.
const Enabled = false

// Strict says whether every single access is checked in this build.
const Strict = false
