// Finds what changed between two lists of records.
package main

import (
	"fmt"
	"reflect"
)

type entry struct {
	Name  string
	Size  int
	Owner int
}

var _ = reflect.DeepEqual

//go:noinline
func same(a, b entry) bool {
	return a == b
}

//go:noinline
func changed(before, after []entry) int {
	count := 0
	for i := range before {
		if !same(before[i], after[i]) {
			count++
		}
	}
	return count
}

func main() {
	var before, after []entry
	for i := 0; i < 1500; i++ {
		one := entry{fmt.Sprintf("file-%d", i), i * 3, i % 5}
		before = append(before, one)
		if i%50 == 0 {
			one.Size++
		}
		after = append(after, one)
	}
	fmt.Println(changed(before, after))
}
