// Package flush has the error that sources of loops yield before they wait, for the packages that
// have such loops and sources.
package flush

import "errors"

// Err is parallelfor.Flush.
var Err = errors.New("parallelfor: the next item may take a while")
