// Sums by name, in a worker's way: records are read, grouped and written.
package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

type record struct {
	Name  string
	Value int
}

//go:noinline
func read(text string) []record {
	var all []record //CAPACITY
	for _, line := range strings.Split(text, "\n") {
		at := strings.IndexByte(line, ',')
		if at < 0 {
			continue
		}
		value, _ := strconv.Atoi(line[at+1:])
		all = append(all, record{line[:at], value})
	}
	return all
}

//go:noinline
func group(all []record) map[string]int {
	sums := map[string]int{}
	for _, one := range all {
		sums[one.Name] += one.Value
	}
	return sums
}

//go:noinline
func names(sums map[string]int) []string {
	var all []string
	for name := range sums {
		all = append(all, name)
	}
	sort.Strings(all)
	return all
}

//go:noinline
func write(sums map[string]int, order []string) string {
	var out strings.Builder
	for _, name := range order {
		out.WriteString(name)
		out.WriteString("=")
		out.WriteString(strconv.Itoa(sums[name]))
		out.WriteString("\n")
	}
	return out.String()
}

func main() {
	var text strings.Builder
	for i := 0; i < 400; i++ {
		fmt.Fprintf(&text, "name%d,%d\n", i*7%60, i)
	}
	size := 0
	for round := 0; round < 3; round++ {
		all := read(text.String())
		sums := group(all)
		size += len(write(sums, names(sums)))
	}
	data, _ := json.Marshal(size)
	fmt.Println(string(data))
}
