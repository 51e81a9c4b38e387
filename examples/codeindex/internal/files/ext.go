package files

import (
	"path"
	"strings"
)

// NoExtension is what files without an extension are counted under.
const NoExtension = "(none)"

// Ext returns the extension that a file is counted under: the last dot of its name and what follows,
// in lower case. A dot at the start or the end of the name makes no extension.
func Ext(name string) string {
	base := path.Base(name)
	k := strings.LastIndexByte(base, '.')
	if k <= 0 || k == len(base)-1 {
		return NoExtension
	}
	return strings.ToLower(base[k:])
}

// normalExt is an extension as a user writes it, with or without its dot.
func normalExt(e string) string {
	e = strings.ToLower(strings.TrimSpace(e))
	if e == "" || e == NoExtension {
		return NoExtension
	}
	return "." + strings.TrimPrefix(e, ".")
}
