package main

import "github.com/emirpasic/gods/stacks/arraystack"

// Values are pushed and popped, a few at a time and then all.
func main() {
	stack := arraystack.New()
	sum := 0
	for i := 0; i < 900; i++ {
		stack.Push(i)
		if i%4 == 3 {
			value, _ := stack.Pop()
			sum += value.(int)
		}
	}
	for !stack.Empty() {
		value, _ := stack.Pop()
		sum += value.(int)
	}
	println(sum)
}
