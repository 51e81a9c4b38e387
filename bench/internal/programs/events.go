package programs

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/puzpuzpuz/xsync/v4"

	"example.com/custody/array"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

// events groups payments by user. A log has them nearly in the order of their times, so each group
// is sorted before its longest gap is known.
func events(n int) program {
	log := someEvents(n)
	work := rows.Thousands(n) + " events grouped by user, sums and longest gaps"
	return program{work, n, 1, "", []way{
		by(ours, log, accounts, set),
		by("xsync.Map of slices under locks", log, accountsXsync, set),
		hand("counting sort, each of a share of the users", log, accountsByHand, set),
	}}
}

type event struct {
	user         uint64
	time, amount int64
}

// payment is an event in the group of its user.
type payment struct{ time, amount int64 }

// account is the sum of a user's payments, and the longest time between two of them.
type account struct {
	user     uint64
	sum, gap int64
}

func accountOf(user uint64, payments []payment) account {
	slices.SortFunc(payments, func(a, b payment) int { return cmp.Compare(a.time, b.time) })
	a, last := account{user: user}, payments[0].time
	for _, p := range payments {
		a.sum += p.amount
		a.gap = max(a.gap, p.time-last)
		last = p.time
	}
	return a
}

// grouping is a job that adds an event to the group of its user.
type grouping struct {
	Events array.Reader[event]
	Users  hashmap.MultiParallelWriter[uint64, payment]
}

func (j *grouping) Execute(i int) {
	e := j.Events.At(i)
	j.Users.Add(e.user, payment{e.time, e.amount})
}

// closing is a job that makes the account of the user with index i.
type closing struct {
	Users    hashmap.MultiWriter[uint64, payment]
	Accounts array.Writer[account]
}

func (j *closing) Execute(i int) { j.Accounts.Set(i, accountOf(j.Users.At(i))) }

func accounts(events []event) []account {
	users := hashmap.NewMulti[uint64, payment]()
	parallelfor.For(len(events), grouping{
		Events: array.Of(events).Reader(),
		Users:  users.ParallelWriter(),
	}, (*grouping).Execute)
	list := array.New[account](users.LenKeys())
	parallelfor.For(list.Len(), closing{
		Users:    users.Writer(),
		Accounts: list.Writer(),
	}, (*closing).Execute)
	return list.Slice()
}

func accountsXsync(events []event) []account {
	type group struct {
		sync.Mutex
		user     uint64
		payments []payment
	}
	groups := xsync.NewMap[uint64, *group]()
	rows.Parts(len(events), func(_, begin, end int) {
		for _, e := range events[begin:end] {
			g, _ := groups.LoadOrCompute(e.user, func() (*group, bool) {
				return &group{user: e.user}, false
			})
			g.Lock()
			g.payments = append(g.payments, payment{e.time, e.amount})
			g.Unlock()
		}
	})
	all := make([]*group, 0, groups.Size())
	for _, g := range groups.All() {
		all = append(all, g)
	}
	list := make([]account, len(all))
	rows.Parts(len(all), func(_, begin, end int) {
		for i, g := range all[begin:end] {
			list[begin+i] = accountOf(g.user, g.payments)
		}
	})
	return list
}

// accountsByHand has a goroutine for each processor, which looks at all events and groups those of
// its share of the users.
func accountsByHand(events []event) []account {
	lists := make([][]account, procs())
	rows.Parts(len(lists), func(p, _, _ int) {
		share := uint64(len(lists))
		numbers, list, ends := map[uint64]int32{}, []account(nil), []int32(nil)
		of := make([]int32, 0, len(events)/len(lists)*9/8)
		for i := range events {
			if user := events[i].user; user%share == uint64(p) {
				number, ok := numbers[user]
				if !ok {
					number = int32(len(list))
					numbers[user] = number
					list, ends = append(list, account{user: user}), append(ends, 0)
				}
				of = append(of, number)
				ends[number]++
			}
		}
		at := int32(0)
		for number, n := range ends {
			ends[number] = at
			at += n
		}
		payments, next := make([]payment, len(of)), 0
		for i := range events {
			if e := &events[i]; e.user%share == uint64(p) {
				end := &ends[of[next]]
				payments[*end] = payment{e.time, e.amount}
				*end++
				next++
			}
		}
		begin := int32(0)
		for number, end := range ends {
			list[number] = accountOf(list[number].user, payments[begin:end])
			begin = end
		}
		lists[p] = list
	})
	return slices.Concat(lists...)
}

// someEvents returns events, 50 for each user. Each comes up to 1,000 events late.
func someEvents(n int) []event {
	random := rand.New(rand.NewPCG(26, 27))
	users := make([]uint64, max(n/50, 1))
	for i := range users {
		users[i] = random.Uint64()
	}
	list := make([]event, n)
	for i := range list {
		user := users[random.IntN(len(users))]
		list[i] = event{user, int64(i)*1000 - random.Int64N(1_000_000), random.Int64N(10_000)}
	}
	return list
}
