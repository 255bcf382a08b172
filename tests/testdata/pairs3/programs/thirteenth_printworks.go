// A printworks' jobs: lines are read, taken apart, checked, escaped, priced, and a bill is written.
package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

const wrapped = false  // WRAPPED
const split = false    // SPLIT
const replacer = false // REPLACER
const copied = false   // COPIED

type sheet struct {
	width, height int
	colours       [24]int
}

type job struct {
	customer string
	pages    int
	copies   int
	sheets   [6]sheet
}

func day(count int) []string {
	customers := []string{"Aldus & Sons", "Bodoni <Parma>", "Caslon", "Didot", "Elzevir \"Leiden\""}
	lines := make([]string, 0, count)
	state := uint32(11)
	for i := 0; i < count; i++ {
		state = state*1664525 + 1013904223
		drawn := int(state >> 12)
		pages := strconv.Itoa(1 + drawn%700)
		if drawn%3 == 0 {
			pages = "many"
		}
		lines = append(lines, customers[drawn%5]+"|"+pages+"|"+strconv.Itoa(1+drawn%90)+"|laid paper, sewn, with a title page in red|"+strconv.Itoa(drawn%7))
	}
	return lines
}

var errNoNumber = errors.New("no number")

//go:noinline
func numberOf(text string) (int, error) {
	number := 0
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			if wrapped {
				return 0, fmt.Errorf("the field %q, character %d: %w", text, i, errNoNumber)
			}
			return 0, errNoNumber
		}
		number = number*10 + int(text[i]-'0')
	}
	return number, nil
}

//go:noinline
func field(line string, which int) string {
	if split {
		return strings.Split(line, "|")[which]
	}
	for ; which > 0; which-- {
		line = line[strings.IndexByte(line, '|')+1:]
	}
	if end := strings.IndexByte(line, '|'); end >= 0 {
		line = line[:end]
	}
	return line
}

//go:noinline
func read(lines []string) ([]job, int) {
	jobs := make([]job, 0, len(lines))
	failed := 0
	for _, line := range lines {
		pages, err := numberOf(field(line, 1))
		if err != nil {
			if errors.Is(err, errNoNumber) {
				failed++
			}
			pages = 100
		}
		copies, _ := numberOf(field(line, 2))
		kind, _ := numberOf(field(line, 4))
		one := job{customer: field(line, 0), pages: pages, copies: copies}
		for i := range one.sheets {
			one.sheets[i] = sheet{width: 20 + kind, height: 30 + i}
			for k := 0; k < 1+kind%4; k++ {
				one.sheets[i].colours[k] = k + pages%5
			}
		}
		jobs = append(jobs, one)
	}
	return jobs, failed
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\"", "&quot;")

//go:noinline
func escaped(text string) string {
	if replacer {
		return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\"", "&quot;").Replace(text)
	}
	return escapes.Replace(text)
}

//go:noinline
func ink(jobs []job, round int) int {
	sum := 0
	if copied {
		for _, one := range jobs {
			if one.pages%4 == round%4 {
				for _, sheet := range one.sheets {
					sum += sheet.colours[round%24] + sheet.width
				}
			}
		}
		return sum
	}
	for i := range jobs {
		if jobs[i].pages%4 == round%4 {
			for k := range jobs[i].sheets {
				sum += jobs[i].sheets[k].colours[round%24] + jobs[i].sheets[k].width
			}
		}
	}
	return sum
}

//go:noinline
func price(one *job) int {
	sum := 0
	for i := range one.sheets {
		sheet := &one.sheets[i]
		area := sheet.width * sheet.height
		for _, colour := range sheet.colours {
			if colour != 0 {
				area += colour
			}
		}
		sum += area
	}
	return sum * one.copies / 10
}

//go:noinline
func bill(jobs []job) string {
	text := strings.Builder{}
	for i := range jobs {
		text.WriteString(escaped(jobs[i].customer))
		text.WriteString(": ")
		text.WriteString(strconv.Itoa(price(&jobs[i])))
		text.WriteByte('\n')
	}
	return text.String()
}

func main() {
	lines := day(3000)
	jobs, failed := read(lines)
	sum := 0
	for round := 0; round < 8; round++ {
		sum += ink(jobs, round)
	}
	text := bill(jobs)
	println(len(jobs), failed, sum, len(text))
}
