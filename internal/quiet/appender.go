package quiet

import (
	"example.com/custody/internal/lanes"
	"example.com/custody/safety"
)

// Appender is the kind of views that append: views of a Hold and then a lane, of items of any type.
type Appender struct {
	Kept safety.Hold
	Lane *lanes.Lane // nil while the view is not bound
}

// Appending returns the Hold of a view that has an Appender as its kind.
func Appending(g *safety.Guard) Hold { return New(g.Hold(safety.Append, appenders)) }

var appenders safety.ViewKind = Kind[*Appender]{} // generic code does not compile it

// Claim completes the claim.
func (w *Appender) Claim(c *safety.Claim) { c.Into = w.Lane }

// Bind implements safety.Binder.
func (w *Appender) Bind(b safety.Binding) {
	w.Kept.Bind(b)
	w.Lane = lanes.Of(b, nil)
}

// BeginSpan implements safety.SpanView.
func (w *Appender) BeginSpan(batch int) { w.Lane.BeginSpan(batch) }
