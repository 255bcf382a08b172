// Reads generated lines of an inventory and sums them (pairs_eighth.toml).
package main

import (
	"fmt"
	"sort"
	"strings"
	"sync"
)

type item struct {
	name  string
	count int
}

type shelf struct {
	mutex sync.Mutex
	items map[string]int
}

//go:noinline
func (s *shelf) add(it item) {
	s.items[it.name] += it.count
}

//go:noinline
func parse(line string) item {
	at := strings.IndexByte(line, '=')
	count := 0
	for _, c := range line[at+1:] {
		count = count*10 + int(c-'0')
	}
	return item{line[:at], count}
}

//go:noinline
func initials(line string) int {
	sum := 0
	for i := 0; i < len(line); i++ {
		if line[i] == ' ' {
			sum += int(line[i+1])
		}
	}
	return sum
}

//go:noinline
func names(s *shelf) []string {
	all := make([]string, 0, len(s.items))
	for i := 0; i < 300; i++ {
		all = append(all, fmt.Sprint("item of shelf ", i*7919%300))
	}
	sort.Strings(all)
	return all
}

func main() {
	s := &shelf{items: map[string]int{}}
	sum := 0
	for i := 0; i < 4000; i++ {
		line := "item of shelf " + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + " in the cellar=" + string(rune('1'+i%9)) + "0"
		s.add(parse(line))
		sum += initials(line)
	}
	fmt.Println(len(s.items), sum, names(s)[7])
}
