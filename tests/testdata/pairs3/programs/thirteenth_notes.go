package main

import (
	"strconv"
	"strings"

	"github.com/russross/blackfriday"
)

// A text with many footnotes.
func main() {
	text := strings.Builder{}
	for i := 100; i < 900; i++ {
		text.WriteString("The word" + strconv.Itoa(i) + "[^note" + strconv.Itoa(i) + "] stands here.\n")
	}
	text.WriteString("\n")
	for i := 100; i < 900; i++ {
		text.WriteString("[^note" + strconv.Itoa(i) + "]: Of it, too.\n")
	}
	renderer := blackfriday.HtmlRenderer(0, "", "")
	println(len(blackfriday.Markdown([]byte(text.String()), renderer, blackfriday.EXTENSION_FOOTNOTES)))
}
