package main

import (
	"strconv"

	"github.com/agnivade/levenshtein"
)

// Names of files that differ in the middle only.
func main() {
	sum := 0
	for i := 0; i < 1200; i++ {
		a := "/srv/archive/of/the/harbour/office/" + strconv.Itoa(i) + "-letters-and-bills.text"
		b := "/srv/archive/of/the/harbour/office/" + strconv.Itoa(i*7+3) + "-letters-and-bills.text"
		sum += levenshtein.ComputeDistance(a, b)
	}
	println(sum)
}
