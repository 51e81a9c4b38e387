package safety

import "log/slog"

// This file is how violations and leaks are logged by log/slog: as groups of what their texts are made of, for who searches or counts them. A container
// is logged as its String says.

// LogValue returns the violation as a group: its kind, its text, and those of its fields that
// apply, each under the name of the field: container, job, field, other_job, other_field, index,
// range with min and max, n, length, at, made, scheduled. Index and range are there whenever the
// kind is one of indices: ErrIndex, ErrWriteRange or ErrTwice. The two parts of the text are under
// what and do. A nil violation is logged as nil.
func (v *Violation) LogValue() slog.Value {
	if v == nil {
		return slog.AnyValue(nil)
	}
	kind := ""
	if v.Kind != nil {
		kind = v.Kind.Error()
	}
	attrs := []slog.Attr{slog.String("kind", kind), slog.String("what", v.what)}
	attrs = appendText(attrs, "do", v.do)
	attrs = appendText(attrs, "container", v.Container)
	attrs = appendText(attrs, "job", v.Job)
	attrs = appendText(attrs, "field", v.Field)
	attrs = appendText(attrs, "other_job", v.OtherJob)
	attrs = appendText(attrs, "other_field", v.OtherField)
	if ofIndex := v.Kind == ErrIndex || v.Kind == ErrWriteRange || v.Kind == ErrTwice; ofIndex || v.Index != 0 || v.Min != 0 || v.Max != 0 {
		attrs = append(attrs, slog.Int("index", v.Index), slog.Group("range", slog.Int("min", v.Min), slog.Int("max", v.Max)))
	}
	if v.N != 0 {
		attrs = append(attrs, slog.Int("n", v.N))
	}
	if v.Length != 0 {
		attrs = append(attrs, slog.Int("length", v.Length))
	}
	attrs = appendText(attrs, "at", v.At)
	attrs = appendText(attrs, "made", v.Made)
	attrs = appendText(attrs, "scheduled", v.Scheduled)
	return slog.GroupValue(attrs...)
}

// LogValue returns the leak as a group: of a job its name, where it was scheduled, and whether it has finished; of a container its type and name, and where it was
// made; and the stack, if there is one.
func (l Leak) LogValue() slog.Value {
	var attrs []slog.Attr
	if l.Container != "" {
		attrs = append(attrs, slog.String("container", l.Container), slog.String("made", l.Made))
	} else {
		attrs = append(attrs, slog.String("job", l.Job))
		attrs = appendText(attrs, "scheduled", l.Scheduled)
		attrs = append(attrs, slog.Bool("finished", l.Finished))
	}
	attrs = appendText(attrs, "stack", l.Stack)
	return slog.GroupValue(attrs...)
}

// appendText appends what is not empty.
func appendText(attrs []slog.Attr, key, text string) []slog.Attr {
	if text == "" {
		return attrs
	}
	return append(attrs, slog.String(key, text))
}
