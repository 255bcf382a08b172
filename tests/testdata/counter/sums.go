// Calls through interfaces and closures, a goroutine, a panic that is recovered.
package main

import "fmt"

type shape interface{ area() int }
type square int

//go:noinline
func (s square) area() int { return int(s) * int(s) }

//go:noinline
func deep(n int) int {
	if n == 0 {
		return 1
	}
	return deep(n-1) + n
}

//go:noinline
func guarded(n int) (result int) {
	defer func() {
		if recover() != nil {
			result = -1
		}
	}()
	return []int{1, 2, 3}[n]
}

func main() {
	sum := 0
	for i := 0; i < 200; i++ {
		var s shape = square(i)
		sum += s.area() + deep(i%20) + guarded(i%5)
	}
	fmt.Println(sum)
}
