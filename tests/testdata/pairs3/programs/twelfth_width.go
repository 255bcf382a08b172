// How wide a text is in a terminal.
package main

import (
	"fmt"
	"strings"

	runewidth "github.com/mattn/go-runewidth"
)

func main() {
	text := strings.Repeat("Größe und 東京, Кириллица ☃ plain words too. ", 300)
	fmt.Println(runewidth.StringWidth(text))
}
