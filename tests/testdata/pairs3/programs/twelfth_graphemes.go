// A text, counted by what a reader takes for a character.
package main

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"
)

func main() {
	text := strings.Repeat("Größe e\u0301 und 🇩🇪 👩‍🚀 한국어, plain words too. ", 250)
	count := 0
	state := -1
	for len(text) > 0 {
		_, text, _, state = uniseg.FirstGraphemeClusterInString(text, state)
		count++
	}
	fmt.Println(count)
}
