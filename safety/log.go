package safety

import "log/slog"

// LogValue returns the violation as a group: its kind, its text, and those of its fields that
// apply, each under the name of the field: container, job, field, other_job, other_field, index,
// range with min and max, n, length, at, made, scheduled. Index and range are there whenever the
// kind is ErrIndex, ErrWriteRange or ErrTwice. The two parts of the text are under what and do. A
// nil violation is logged as nil.
func (v *Violation) LogValue() slog.Value {
	if v == nil {
		return slog.AnyValue(nil)
	}
	kind := ""
	if v.Kind != nil {
		kind = v.Kind.Error()
	}
	attrs := []slog.Attr{slog.String("kind", kind), slog.String("what", v.what)}
	attrs = appendTexts(attrs, "do", v.do, "container", v.Container, "job", v.Job, "field", v.Field,
		"other_job", v.OtherJob, "other_field", v.OtherField)
	ofIndex := v.Kind == ErrIndex || v.Kind == ErrWriteRange || v.Kind == ErrTwice
	if ofIndex || v.Index != 0 || v.Min != 0 || v.Max != 0 {
		attrs = append(attrs, slog.Int("index", v.Index), slog.Group("range", slog.Int("min", v.Min), slog.Int("max", v.Max)))
	}
	if v.N != 0 {
		attrs = append(attrs, slog.Int("n", v.N))
	}
	if v.Length != 0 {
		attrs = append(attrs, slog.Int("length", v.Length))
	}
	return slog.GroupValue(appendTexts(attrs, "at", v.At, "made", v.Made, "scheduled", v.Scheduled)...)
}

// LogValue returns the leak as a group. A job has its name, where it was scheduled, and whether it
// has finished; a container its type and name, and where it was made. The stack is there if the
// leak has one.
func (l Leak) LogValue() slog.Value {
	var attrs []slog.Attr
	if l.Container != "" {
		attrs = append(attrs, slog.String("container", l.Container), slog.String("made", l.Made))
	} else {
		attrs = appendTexts([]slog.Attr{slog.String("job", l.Job)}, "scheduled", l.Scheduled)
		attrs = append(attrs, slog.Bool("finished", l.Finished))
	}
	return slog.GroupValue(appendTexts(attrs, "stack", l.Stack)...)
}

// appendTexts appends the texts that are not empty. Each follows its key.
func appendTexts(attrs []slog.Attr, pairs ...string) []slog.Attr {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			attrs = append(attrs, slog.String(pairs[i], pairs[i+1]))
		}
	}
	return attrs
}
