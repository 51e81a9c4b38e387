package programs

import (
	"iter"
	"math/rand/v2"
	"sync/atomic"

	"github.com/puzpuzpuz/xsync/v4"

	"example.com/custody/array"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

// kmers counts the k-mers of DNA, and then how many of them come once, twice and so on.
func kmers(n int) program {
	reads := someReads(n)
	units := n * (readLength - k + 1)
	return program{rows.Thousands(units) + " k-mers counted, and their counts", units, 1, "", []way{
		by(ours, reads, spectrumOf, spectrum.digest),
		by("xsync.Map", reads, spectrumXsync, spectrum.digest),
		hand("maps of a share of the k-mers each", reads, spectrumByHand, spectrum.digest),
	}}
}

const k = 21 // bases of a k-mer, of two bits each

// spectrum is how many k-mers come once, twice and so on; the last is how many come more often.
type spectrum [64]int64

func (s *spectrum) add(times int) { s[min(times, len(s))-1]++ }

func (s spectrum) digest() uint64 { return sequence(s[:]) }

// kmersOf ranges over the k-mers of a read.
func kmersOf(read string) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		kmer := uint64(0)
		for i := range len(read) {
			kmer = (kmer<<2 | uint64(read[i]>>1&3)) & (1<<(2*k) - 1) // A, C, T, G are 0 to 3
			if i >= k-1 && !yield(kmer) {
				return
			}
		}
	}
}

// tallying is a job that counts the k-mers of a read.
type tallying struct {
	Reads  array.Reader[string]
	Counts hashmap.ParallelMerger[uint64, int]
}

func (j *tallying) Execute(i int) {
	for kmer := range kmersOf(j.Reads.At(i)) {
		j.Counts.Merge(kmer, 1)
	}
}

func spectrumOf(reads []string) (s spectrum) {
	counts := hashmap.New[uint64, int]()
	parallelfor.For(len(reads), tallying{
		Reads:  array.Of(reads).Reader(),
		Counts: counts.ParallelMerger(hashmap.Add),
	}, (*tallying).Execute)
	for _, times := range counts.All() {
		s.add(times)
	}
	return s
}

func spectrumXsync(reads []string) (s spectrum) {
	counts := xsync.NewMap[uint64, *atomic.Int64]()
	rows.Parts(len(reads), func(_, begin, end int) {
		for _, read := range reads[begin:end] {
			for kmer := range kmersOf(read) {
				n, _ := counts.LoadOrCompute(kmer, func() (*atomic.Int64, bool) {
					return new(atomic.Int64), false
				})
				n.Add(1)
			}
		}
	})
	for _, n := range counts.All() {
		s.add(int(n.Load()))
	}
	return s
}

// spectrumByHand has a goroutine for each processor, which looks at all reads and counts its share
// of the k-mers.
func spectrumByHand(reads []string) (s spectrum) {
	parts := make([]spectrum, procs())
	rows.Parts(len(parts), func(p, _, _ int) {
		counts := map[uint64]int{}
		for _, read := range reads {
			for kmer := range kmersOf(read) {
				if kmer*0x9e3779b97f4a7c15>>32%uint64(len(parts)) == uint64(p) {
					counts[kmer]++
				}
			}
		}
		for _, times := range counts {
			parts[p].add(times)
		}
	})
	for _, part := range parts {
		for i, n := range part {
			s[i] += n
		}
	}
	return s
}

const readLength = 100

// someReads returns reads of a genome in which each base is in 5 of them. One base of a hundred is
// read wrongly.
func someReads(n int) []string {
	random := rand.New(rand.NewPCG(30, 31))
	genome := make([]byte, n*readLength/5+readLength)
	for i := range genome {
		genome[i] = "ACGT"[random.IntN(4)]
	}
	reads := make([]string, n)
	for i := range reads {
		read := []byte(string(genome[random.IntN(len(genome)-readLength):][:readLength]))
		for b := range read {
			if random.IntN(100) == 0 {
				read[b] = "ACGT"[random.IntN(4)]
			}
		}
		reads[i] = string(read)
	}
	return reads
}
