// Asks of many short texts whether they are JSON (pairs_eleventh.toml).
package main

import (
	"fmt"

	"github.com/tidwall/gjson"
)

func main() {
	valid := 0
	for i := 0; i < 6000; i++ {
		text := `{"id":7,"name":"a short one"}`
		if i%3 == 0 {
			text = `{"id":7,"tags":["one","two"],"open":true}`
		}
		if gjson.Valid(text) {
			valid++
		}
	}
	fmt.Println(valid)
}
