// Ferries leave in the order of their times; their names are sorted for a list (pairs_ninth.toml).
package main

import (
	"container/heap"
	"fmt"
	"sort"
	"strings"
)

type departure struct {
	minute int
	ferry  string
}

// What container/heap asks for: each departure is put into an interface value.
type boxed []departure

func (b boxed) Len() int            { return len(b) }
func (b boxed) Less(i, j int) bool  { return b[i].minute < b[j].minute }
func (b boxed) Swap(i, j int)       { b[i], b[j] = b[j], b[i] }
func (b *boxed) Push(x interface{}) { *b = append(*b, x.(departure)) }
func (b *boxed) Pop() interface{} {
	old := *b
	last := old[len(old)-1]
	*b = old[:len(old)-1]
	return last
}

// The same by functions that know their type.
type typed []departure

func (t *typed) push(d departure) {
	*t = append(*t, d)
	h := *t
	for at := len(h) - 1; at > 0; {
		above := (at - 1) / 2
		if h[above].minute <= h[at].minute {
			break
		}
		h[above], h[at] = h[at], h[above]
		at = above
	}
}

func (t *typed) pop() departure {
	h := *t
	first := h[0]
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	for at := 0; ; {
		least := at
		for below := 2*at + 1; below <= 2*at+2 && below < last; below++ {
			if h[below].minute < h[least].minute {
				least = below
			}
		}
		if least == at {
			break
		}
		h[least], h[at] = h[at], h[least]
		at = least
	}
	*t = h
	return first
}

//go:noinline
func dayByTyped(all []departure) int {
	var waiting typed
	sum := 0
	for _, d := range all {
		waiting.push(d)
	}
	for len(waiting) > 0 {
		sum = (sum*31 + waiting.pop().minute) % 1000003
	}
	return sum
}

//go:noinline
func dayByBoxed(all []departure) int {
	var waiting boxed
	sum := 0
	for _, d := range all {
		heap.Push(&waiting, d)
	}
	for len(waiting) > 0 {
		sum = (sum*31 + heap.Pop(&waiting).(departure).minute) % 1000003
	}
	return sum
}

func day(all []departure) int {
	return dayByTyped(all)
}

//go:noinline
func listed(all []departure) []string {
	names := make([]string, 0, len(all))
	for _, d := range all {
		names = append(names, d.ferry)
	}
	sort.Slice(names, func(i, j int) bool { return names[i] < names[j] })
	return names
}

func main() {
	seed := uint32(5)
	var all []departure
	for i := 0; i < 1200; i++ {
		seed = seed*1103515245 + 12345
		all = append(all, departure{int(seed>>12) % 1440, fmt.Sprint("Ferry to island ", (seed>>16)%500)})
	}
	sum := 0
	for round := 0; round < 3; round++ {
		sum += day(all)
	}
	names := listed(all)
	fmt.Println(sum, strings.Count(names[0], " "))
}
