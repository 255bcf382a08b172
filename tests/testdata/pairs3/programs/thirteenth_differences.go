package main

import "github.com/sergi/go-diff/diffmatchpatch"

// Many small differences, which are made fewer and larger ones.
func main() {
	all := []diffmatchpatch.Diff{}
	for i := 0; i < 250; i++ {
		all = append(all, diffmatchpatch.Diff{Type: diffmatchpatch.DiffEqual, Text: "ab"}, diffmatchpatch.Diff{Type: diffmatchpatch.DiffDelete, Text: "cdefg"}, diffmatchpatch.Diff{Type: diffmatchpatch.DiffInsert, Text: "hijkl"})
		if i%10 == 9 {
			all = append(all, diffmatchpatch.Diff{Type: diffmatchpatch.DiffEqual, Text: "and a longer part that both of them have in common"})
		}
	}
	println(len(diffmatchpatch.New().DiffCleanupSemantic(all)))
}
