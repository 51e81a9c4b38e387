package programs

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/puzpuzpuz/xsync/v4"

	"example.com/custody/bench/internal/rows"
	"example.com/custody/hashmap"
)

// sessions finds the session of each request to a server. One request of ten is a login, which
// stores a session.
func sessions(users, each int) program {
	const peer = "xsync.Map"
	ids, requests := someRequests(users, each)
	filled := func(m sessionMap) service {
		for user, id := range ids {
			m.Store(id, &session{user: user})
		}
		return service{m, ids, requests}
	}
	work := rows.Thousands(users) + " sessions, strings to pointers, 90/10, 4 goroutines"
	return program{work, servers * each, 1, peer, []way{
		by(ours, filled(hashmap.New[string, *session]()), serve, served.digest),
		by(peer, filled(xsync.NewMap[string, *session]()), serve, served.digest),
		hand("64 maps under locks", filled(newLockedMaps()), serve, served.digest),
	}}
}

const servers = 4

// session is what a user's last login has left.
type session struct{ user, login int }

// request comes with the text of a session's id.
type request struct {
	id    string
	user  int
	login bool
}

type service struct {
	sessions sessionMap
	users    []string
	requests [][]request
}

type served struct {
	found int64
	service
}

type sessionMap interface {
	Load(id string) (*session, bool)
	Store(id string, s *session)
}

// serve answers the requests, and adds up the users whose sessions it has found.
func serve(s service) served {
	var wg sync.WaitGroup
	var users atomic.Int64
	for _, list := range s.requests {
		wg.Go(func() {
			sum := 0
			for i := range list {
				if r := &list[i]; r.login {
					s.sessions.Store(r.id, &session{r.user, i})
				} else if found, ok := s.sessions.Load(r.id); ok {
					sum += found.user
				}
			}
			users.Add(int64(sum))
		})
	}
	wg.Wait()
	return served{users.Load(), s}
}

// lockedMaps is maps chosen by the hash of the key.
type lockedMaps struct {
	seed maphash.Seed
	maps [64]lockedMap
}

type lockedMap struct {
	sync.RWMutex
	m map[string]*session
	_ [96]byte
}

func newLockedMaps() *lockedMaps {
	l := &lockedMaps{seed: maphash.MakeSeed()}
	for i := range l.maps {
		l.maps[i].m = map[string]*session{}
	}
	return l
}

func (l *lockedMaps) of(id string) *lockedMap { return &l.maps[maphash.String(l.seed, id)%64] }

func (l *lockedMaps) Store(id string, s *session) {
	m := l.of(id)
	m.Lock()
	m.m[id] = s
	m.Unlock()
}

func (l *lockedMaps) Load(id string) (*session, bool) {
	m := l.of(id)
	m.RLock()
	s, ok := m.m[id]
	m.RUnlock()
	return s, ok
}

func (s served) digest() uint64 {
	sum := maphash.Comparable(seed, s.found)
	for _, id := range s.users {
		found, _ := s.sessions.Load(id)
		sum += maphash.Comparable(seed, *found)
	}
	return sum
}

// someRequests returns the ids of users and the requests of each server. Users log in at one server
// only, so their last login is the same in each run.
func someRequests(users, each int) (ids []string, requests [][]request) {
	random := rand.New(rand.NewPCG(22, 23))
	for range users {
		ids = append(ids, fmt.Sprintf("%016x", random.Uint64()))
	}
	for server := range servers {
		list := make([]request, each)
		for i := range list {
			user, login := random.IntN(users), random.IntN(10) == 0
			if login {
				user -= user%servers - server
			}
			list[i] = request{strings.Clone(ids[user]), user, login}
		}
		requests = append(requests, list)
	}
	return ids, requests
}
