package main

import "github.com/google/btree"

// Numbers go into a tree of large nodes.
func main() {
	tree := btree.New(150)
	for i := 0; i < 8000; i++ {
		tree.ReplaceOrInsert(btree.Int(i * 7919 % 8009))
	}
	println(tree.Len())
}
