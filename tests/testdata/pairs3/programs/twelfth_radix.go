// Words put into a radix tree and sought in it.
package main

import (
	"fmt"

	radix "github.com/armon/go-radix"
)

func main() {
	tree := radix.New()
	state := uint32(5)
	found := 0
	for i := 0; i < 4000; i++ {
		word := make([]byte, 0, 8)
		for j := 0; j < 7; j++ {
			state = state*1664525 + 1013904223
			word = append(word, byte('!'+state>>16%90))
		}
		tree.Insert(string(word), i)
		if _, ok := tree.Get(string(word[:6])); ok {
			found++
		}
	}
	fmt.Println(tree.Len(), found)
}
