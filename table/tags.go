package table

import (
	"iter"
	"slices"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Tag is what tables can have in common beside columns: a name for what all rows of a table are. Tags are compared as pointers. Make one with
// [NewTag].
type Tag struct{ name string }

// NewTag returns a tag that no table has.
func NewTag(name string) *Tag { return &Tag{name} }

// String returns the tag's name.
func (t *Tag) String() string {
	if t == nil {
		return "<nil>"
	}
	return t.name
}

// Tag gives the table tags. Those that it has it keeps; a nil tag is a violation.
func (t *Table[R]) Tag(tags ...*Tag) {
	t.enter(callTag)
	defer t.leave()
	t.guard.CheckWrite()
	if slices.Contains(tags, nil) {
		panic(t.guard.Violation(safety.ErrArgument, t.guard.Container()+" was given a nil tag", "Make tags with NewTag."))
	}
	for _, tag := range tags {
		if !slices.Contains(t.tags, tag) {
			t.tags = append(t.tags, tag)
		}
	}
}

// Untag takes tags from the table, if it has them.
func (t *Table[R]) Untag(tags ...*Tag) {
	t.enter(callUntag)
	defer t.leave()
	t.guard.CheckWrite()
	t.tags = slices.DeleteFunc(t.tags, func(tag *Tag) bool { return slices.Contains(tags, tag) })
}

// Tagged reports whether the table has the tag.
func (t *Table[R]) Tagged(tag *Tag) bool {
	t.guard.CheckRead()
	return slices.Contains(t.tags, tag)
}

// Any is a table, whatever its rows are.
type Any interface {
	// Len returns the number of rows, or of places if that is fixed.
	Len() int
	// Rows returns all rows.
	Rows() Rows
	// Tagged reports whether the table has the tag.
	Tagged(tag *Tag) bool
	// Name returns the name that the table was given.
	Name() string
	exists() bool
	columnNamed(name string) any
	valueNamed(name string) any
}

// Name returns the name that the table was given, or nothing.
func (t *Table[R]) Name() string { return t.guard.Name() }

func (t *core) columnNamed(name string) any {
	for i, b := range t.parts {
		switch {
		case name == "" || b.guard.Name() != name:
		case b.double != nil:
			return b.double
		default:
			return t.strips[i]
		}
	}
	return nil
}

// FindColumn returns the table's column of that name, if it has one and its elements are of type T;
// or nil, also for no name. It finds neither column of a [DoubleColumn], which [FindDouble] finds.
func FindColumn[T any](t Any, name string) *Column[T] {
	need(t, "a column was looked for in")
	c, _ := t.columnNamed(name).(*Column[T])
	return c
}

// Query is some of several tables: those that have all of some tags and none of some others. It is a small value.
type Query struct {
	tables        []Any
	with, without []*Tag
}

// Over returns a query of tables, in this order. A nil one is a violation.
func Over(tables ...Any) Query {
	for _, t := range tables {
		need(t, "a query was asked for over")
	}
	return Query{tables: slices.Clone(tables)}
}

// With returns those of the tables that have all the tags. A nil tag is a violation.
func (q Query) With(tags ...*Tag) Query {
	checkTags(tags)
	q.with = append(slices.Clone(q.with), tags...)
	return q
}

// Without returns those of the tables that have none of the tags. A nil tag is a violation.
func (q Query) Without(tags ...*Tag) Query {
	checkTags(tags)
	q.without = append(slices.Clone(q.without), tags...)
	return q
}

func checkTags(tags []*Tag) {
	if slices.Contains(tags, nil) {
		panic(safety.NewViolation(safety.ErrArgument, "a query was asked for by a nil tag", "Make tags with NewTag."))
	}
}

// All ranges over the tables.
func (q Query) All() iter.Seq[Any] {
	return func(yield func(Any) bool) {
		for _, t := range q.tables {
			if q.wants(t) && !yield(t) {
				return
			}
		}
	}
}

func (q Query) wants(t Any) bool {
	for _, tag := range q.with {
		if !t.Tagged(tag) {
			return false
		}
	}
	return !slices.ContainsFunc(q.without, t.Tagged)
}

// Schedule calls loop for each of the tables, in their order, and returns a handle of what it schedules. A loop has whatever columns the table
// has: it is [Schedule] or [ScheduleChunks] over t.Rows() of a job whose views are of columns that it was made for, or that [FindColumn] finds; and of
// none it is the zero Handle. Loops over different tables run beside each other, unless they share another container: then each is to run After
// the one before, or with parallelfor.AutoOrder.
//
// A nil loop is a violation. loop may use its table, and anything else, as the caller may. If loop
// panics, the jobs that it has scheduled before are completed first, and their failures are lost.
func (q Query) Schedule(loop func(t Any) parallelfor.Handle) parallelfor.Handle {
	checkBody(loop == nil)
	var hs []parallelfor.Handle
	through := false
	defer func() {
		if !through {
			for _, h := range hs {
				completeAnyway(h)
			}
		}
	}()
	for t := range q.All() {
		hs = append(hs, loop(t))
	}
	through = true
	return parallelfor.Combine(hs...)
}

// completeAnyway completes a loop for somebody who panics already.
func completeAnyway(h parallelfor.Handle) {
	defer func() { _ = recover() }()
	h.Complete()
}
