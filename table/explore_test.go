//go:build custody_explore

package table_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

// coin is a row, known by a number, with a key that others may have.
type coin struct{ Number, Key int }

// purse is a table of coins.
type purse struct {
	t      *table.Table[coin]
	number *table.Column[int]
	keys   *table.Key[int] // nil: there are none
}

func newPurse(keyed bool, opts ...table.Option) *purse {
	p := &purse{t: table.New[coin](opts...)}
	p.number = table.ColumnOf(p.t, func(c *coin) *int { return &c.Number })
	if keyed {
		p.keys = table.KeyOf(p.t, func(c *coin) *int { return &c.Key })
	}
	return p
}

// stall is two purses that several tasks use.
type stall struct {
	a, b  *purse
	ids   []table.ID   // of the coins 0, 1 and 2, which are in a, and 3, which is staged
	given [][]given    // by task
	said  [][][]string // by task, what each act was told: a line for each request that came to nothing
}

// given is a name that a coin was given.
type given struct {
	id     table.ID
	number int
}

// act is what a task does.
type act func(s *stall, task int)

func (s *stall) give(task int, id table.ID, number int) {
	s.given[task] = append(s.given[task], given{id, number})
}

// add adds a coin to a, of which the key is its number, or that of coin 1.
func add(number int) act {
	return func(s *stall, task int) { s.give(task, s.a.t.Add(coin{number, number}), number) }
}

func addAs(number, key int) act {
	return func(s *stall, task int) { s.give(task, s.a.t.Add(coin{number, key}), number) }
}

// addAll adds two coins.
func addAll(number int) act {
	return func(s *stall, task int) {
		for k, id := range s.a.t.AddAll([]coin{{number, number}, {number + 1, number + 1}}, nil) {
			s.give(task, id, number+k)
		}
	}
}

// remove removes coin i from a, and callOff the one that the task has added last.
func remove(i int) act { return func(s *stall, task int) { s.a.t.Remove(s.ids[i]) } }

func callOff(s *stall, task int) {
	own := s.given[task]
	s.a.t.Remove(own[len(own)-1].id)
}

func removeKey(key int) act { return func(s *stall, task int) { s.a.keys.Remove(key) } }

// transfer has coin i go to b, where its number is 100 more.
func transfer(i int) act {
	return func(s *stall, task int) { s.give(task, table.Transfer(s.a.t, s.ids[i], s.b.t), 100+i) }
}

// apply applies what is staged in a, and applyB what is in b.
func apply(s *stall, task int) { s.apply(s.a, task) }

func applyB(s *stall, task int) { s.apply(s.b, task) }

func (s *stall) apply(p *purse, task int) {
	r := p.t.Apply()
	told := s.tell(r)
	p.t.Len() // others come between
	if again := s.tell(r); !slices.Equal(told, again) {
		panic(fmt.Sprint("a report has changed: ", told, again))
	}
	s.said[task] = append(s.said[task], told)
}

// tell writes a report. Names are put in place of numbers in the end.
func (s *stall) tell(r table.Report) []string {
	told := []string{fmt.Sprint(r.Added, r.Removed, r.Swept, r.CalledOff)}
	for _, p := range r.Problems {
		told = append(told, fmt.Sprint(p.ID, ": ", p.Err))
	}
	return told
}

// loop has a loop stage two additions with a removal between them.
func loop(number int) act {
	return func(s *stall, task int) {
		parallelfor.Do(s.a.t.Stager(), func(w *table.Stager[coin]) {
			w.Add(coin{number, number})
			w.Remove(s.ids[1])
			w.Add(coin{number + 1, number + 1})
		}, parallelfor.Sequential())
	}
}

// left writes the reports, the rows that are left when all is applied, and names that were given
// twice.
func (s *stall) left() (text string, err error) {
	last := len(s.given) - 1
	apply(s, last)
	applyB(s, last)
	numbers := map[table.ID]int{}
	for _, names := range s.given {
		for _, n := range names {
			if _, twice := numbers[n.id]; twice {
				err = fmt.Errorf("the name %v is that of two", n.id)
			}
			numbers[n.id] = n.number
		}
	}
	var b strings.Builder
	for task, acts := range s.said {
		for _, told := range acts {
			for i, line := range told {
				if name, what, _ := strings.Cut(line, ": "); i > 0 {
					who := "a coin of a loop, or none"
					for id, n := range numbers {
						if id.String() == name {
							who = fmt.Sprint("coin ", n)
						}
					}
					line = who + ": " + what
				}
				fmt.Fprintf(&b, "task %d: %s\n", task, line)
			}
		}
	}
	for k, p := range []*purse{s.a, s.b} {
		for row := range p.t.Len() {
			id := p.t.ID(row)
			if id == (table.ID{}) {
				fmt.Fprintln(&b, "a free place")
				continue
			}
			if n, ok := numbers[id]; ok && n != p.number.At(row)+100*k {
				err = errors.Join(err, fmt.Errorf("coin %d has the name of %d", p.number.At(row)+100*k, n))
			}
			if at, ok := p.t.RowOf(id); !ok || at != row {
				err = errors.Join(err, fmt.Errorf("the name of row %d leads to %d", row, at))
			}
			if p.keys != nil {
				if found, ok := p.keys.Find(p.keys.At(row)); !ok || found != id {
					err = errors.Join(err, fmt.Errorf("the key of row %d is that of %v", row, found))
				}
			}
			fmt.Fprintln(&b, "coin", p.number.At(row))
		}
	}
	return b.String(), err
}

// staging is a scenario: what tasks do beside each other.
type staging struct {
	name  string
	tasks [][]act
	keyed bool // only with keys
}

var stagings = []staging{
	{"additions beside Apply", [][]act{{apply, apply}, {add(10), add(11)}, {addAll(20), add(22)}}, false},
	{"removals beside Apply", [][]act{{apply, apply}, {remove(0), remove(3)}, {remove(0), add(10)}}, false},
	{"who changes his mind", [][]act{{apply, apply}, {add(10), callOff, add(11)}, {add(20), callOff, callOff}}, false},
	{"rows that go to another table", [][]act{{apply, applyB}, {transfer(0), add(10)}, {transfer(0), remove(1)}}, false},
	{"rows that come while the other table is applied", [][]act{{apply, apply}, {applyB, applyB}, {transfer(0), transfer(0), remove(3)}}, false},
	{"loops beside who stages", [][]act{{loop(30), apply}, {add(10), remove(1)}, {add(20)}}, false},
	{"keys that come and go", [][]act{{apply, apply}, {removeKey(1), addAs(10, 1)}, {addAs(20, 1), removeKey(1)}}, true},
	{"one key twice", [][]act{{apply}, {addAs(10, 7), callOff}, {addAs(20, 7), removeKey(7)}}, true},
	{"keys and names", [][]act{{apply, apply}, {removeKey(0), removeKey(3)}, {remove(0), remove(3)}}, true},
}

// stalls are the kinds of tables that the scenarios use.
var stalls = []struct {
	name  string
	keyed bool
	opts  []table.Option
}{
	{"rows that move", false, []table.Option{table.ChunkRows(2)}},
	{"rows that move, with keys", true, []table.Option{table.ChunkRows(1), table.GrowBy(1.1)}},
	{"places", false, []table.Option{table.Fixed(5)}},
	{"places, with keys", true, []table.Option{table.Fixed(4), table.ChunkRows(1)}},
}

// fresh returns a stall, whose tasks and one more have done nothing.
func (k *staging) fresh(keyed bool, opts []table.Option) *stall {
	s := &stall{a: newPurse(keyed, opts...), b: newPurse(keyed, opts...)}
	s.given = make([][]given, len(k.tasks)+1)
	s.said = make([][][]string, len(k.tasks)+1)
	for n := range 4 {
		if n == 3 {
			s.a.t.Apply()
		}
		add(n)(s, len(k.tasks))
		s.ids = append(s.ids, s.given[len(k.tasks)][n].id)
	}
	return s
}

// orders calls f with every order of the tasks' acts that keeps the order of each task.
func (k *staging) orders(f func(order []int)) {
	next := make([]int, len(k.tasks))
	var order []int
	var step func()
	step = func() {
		over := true
		for task, acts := range k.tasks {
			if next[task] < len(acts) {
				over = false
				next[task]++
				order = append(order, task)
				step()
				order = order[:len(order)-1]
				next[task]--
			}
		}
		if over {
			f(order)
		}
	}
	step()
}

// Tasks that stage beside an Apply get the reports and leave the rows of some sequential order:
// each request takes place once, in this Apply or in the next one.
func TestExploreStaging(t *testing.T) {
	for _, k := range stagings {
		for _, of := range stalls {
			if k.keyed && !of.keyed {
				continue
			}
			t.Run(k.name+", "+of.name, func(t *testing.T) {
				may := map[string]bool{}
				k.orders(func(order []int) {
					s := k.fresh(of.keyed, of.opts)
					next := make([]int, len(k.tasks))
					for _, task := range order {
						k.tasks[task][next[task]](s, task)
						next[task]++
					}
					text, err := s.left()
					if err != nil {
						t.Fatal(order, err)
					}
					may[text] = true
				})
				explore.Run(t, explore.Options{}, func(p *explore.Program) {
					s := k.fresh(of.keyed, of.opts)
					for task, acts := range k.tasks {
						p.Go(fmt.Sprint("task ", task), func() {
							for _, do := range acts {
								do(s, task)
							}
						})
					}
					p.Judge(func() error {
						text, err := s.left()
						if err == nil && !may[text] {
							err = fmt.Errorf("no order leaves this:\n%s", text)
						}
						return err
					})
				}, explore.Exhaustive(1, 50_000), explore.PCT(3, 1000), explore.Random(1500))
			})
		}
	}
}
