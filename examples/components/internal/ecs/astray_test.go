package ecs

import (
	"context"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

var t0 = context.Background()

// astray is a kind that has a mistake: its pieces end behind the batch.
type astray struct{ p *process1[hold, position] }

// What it is found at: strict builds give each index a range of its own.
var stray, strayMax = astrayAt()

func astrayAt() (index, end int) {
	if safety.Strict {
		return 1, 1
	}
	return 5, 5
}

func (astray) PerIndex() bool { return true }

func (k astray) Loop(t *task1[hold, position], r *parallelfor.Batches) error {
	for at := k.p.query.pieces(); r.Next(); {
		for at.reset(r.Begin(), r.End()+1); at.next(); {
			t.Parameters.First.span(&at)
		}
	}
	return nil
}
