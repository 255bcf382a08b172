package main

import "github.com/dustin/go-humanize"

// Sums with their thousands apart.
func main() {
	length := 0
	for i := 0; i < 3000; i++ {
		length += len(humanize.Commaf(float64(i) * 98765.4321))
	}
	println(length)
}
