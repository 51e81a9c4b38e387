package table

import (
	"iter"
	"slices"

	"example.com/custody/safety"
)

// Tag marks tables. A table has a tag or has it not, and a [Query] chooses tables by their tags.
// Tags are compared as pointers. Make one with [NewTag].
// Each method: constant; wait-free; O(1); allocates never.
type Tag struct{ name string }

// NewTag returns a tag that no table has.
func NewTag(name string) *Tag { return &Tag{name} }

// String returns the tag's name, or <nil> of a nil tag.
func (t *Tag) String() string {
	if t == nil {
		return "<nil>"
	}
	return t.name
}

// Tag gives the table tags. It keeps those that it has. A nil tag is a violation.
func (t *Table[R]) Tag(tags ...*Tag) { t.core.tag(tags) }

func (t *core) tag(tags []*Tag) {
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
func (t *Table[R]) Untag(tags ...*Tag) { t.core.untag(tags) }

func (t *core) untag(tags []*Tag) {
	t.enter(callUntag)
	defer t.leave()
	t.guard.CheckWrite()
	t.tags = slices.DeleteFunc(t.tags, func(tag *Tag) bool { return slices.Contains(tags, tag) })
}

// Tagged reports whether the table has the tag.
func (t *Table[R]) Tagged(tag *Tag) bool { return t.core.tagged(tag) }

func (t *core) tagged(tag *Tag) bool {
	t.guard.CheckRead()
	return slices.Contains(t.tags, tag)
}

// Any is a *[Table], whatever the type of its rows is. It can be the key of a map, in which a
// program keeps the columns of its tables.
type Any interface {
	// Len returns the number of rows, or of places if that is fixed.
	Len() int
	// Rows returns all rows.
	Rows() Rows
	// Tagged reports whether the table has the tag.
	Tagged(tag *Tag) bool
	// Name returns the name that the table was given.
	Name() string
	common() *core
}

// Name returns the name that the table was given, or "".
func (t *Table[R]) Name() string { return t.core.guard.Name() }

// Query chooses tables: those of a list that have all of some tags and none of some others. It is a
// small value.
//
// With, Without: constant; wait-free; O(tags); allocates one.
// All: owner reads; wait-free; O(tables x tags); allocates never.
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

// With returns a query of those of the tables that have all the tags. A nil tag is a violation.
func (q Query) With(tags ...*Tag) Query {
	q.with = more(q.with, tags)
	return q
}

// Without returns a query of those of the tables that have none of the tags. A nil tag is a
// violation.
func (q Query) Without(tags ...*Tag) Query {
	q.without = more(q.without, tags)
	return q
}

// more returns a copy of tags with others behind them.
func more(tags, others []*Tag) []*Tag {
	if slices.Contains(others, nil) {
		panic(safety.NewViolation(safety.ErrArgument, "a query was asked for by a nil tag", "Make tags with NewTag."))
	}
	return slices.Concat(tags, others)
}

// All ranges over the tables that have the tags at that moment. To run loops over all of them
// beside each other, schedule one for each table and complete their parallelfor.Combine.
func (q Query) All() iter.Seq[Any] {
	return func(yield func(Any) bool) {
		for _, t := range q.tables {
			lacks := func(tag *Tag) bool { return !t.Tagged(tag) }
			if slices.ContainsFunc(q.with, lacks) || slices.ContainsFunc(q.without, t.Tagged) {
				continue
			}
			if !yield(t) {
				return
			}
		}
	}
}
