// Signals of sensors are decoded, told apart and written down (pairs_tenth.toml).
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
)

type signal struct {
	sensor int
	minute int
	value  float64
	text   string
}

// raw makes the lines of a day.
func raw(count int) [][]byte {
	lines := make([][]byte, 0, count)
	state := uint32(21)
	for i := 0; i < count; i++ {
		state = state*1664525 + 1013904223
		line := []byte("s")
		line = strconv.AppendInt(line, int64(state>>16)%64, 10)
		line = append(line, ' ')
		line = strconv.AppendInt(line, int64(i%1440), 10)
		line = append(line, ' ')
		line = strconv.AppendInt(line, int64(state>>8)%4000, 10)
		line = append(line, ".25 valve open"...)
		lines = append(lines, line)
	}
	return lines
}

//go:noinline
func decode(line []byte) (signal, bool) {
	var s signal
	name, rest, found := bytes.Cut(line, []byte{' '})
	if !found || len(name) < 2 {
		return s, false
	}
	number, err := strconv.Atoi(string(name[1:]))
	if err != nil {
		return s, false
	}
	minute, rest, _ := bytes.Cut(rest, []byte{' '})
	value, text, _ := bytes.Cut(rest, []byte{' '})
	s.sensor = number
	if s.minute, err = strconv.Atoi(string(minute)); err != nil {
		return s, false
	}
	if s.value, err = strconv.ParseFloat(string(value), 64); err != nil {
		return s, false
	}
	s.text = string(text)
	return s, true
}

// seenBySlice finds the first minute of each sensor.
//
//go:noinline
func seenBySlice(signals []signal) int {
	first := make([]int, 64)
	for i := range first {
		first[i] = -1
	}
	sum := 0
	for _, s := range signals {
		if first[s.sensor] < 0 || s.minute < first[s.sensor] {
			first[s.sensor] = s.minute
		}
	}
	for _, minute := range first {
		sum += minute
	}
	return sum
}

// seenByMap does the same with a map.
//
//go:noinline
func seenByMap(signals []signal) int {
	first := map[int]int{}
	sum := 0
	for _, s := range signals {
		if minute, found := first[s.sensor]; !found || s.minute < minute {
			first[s.sensor] = s.minute
		}
	}
	for _, minute := range first {
		sum += minute
	}
	return sum
}

type book struct {
	out     io.Writer
	written int
	log     io.Writer
}

//go:noinline
func (b *book) write(s signal) {
	line := make([]byte, 0, 48)
	line = strconv.AppendInt(line, int64(s.minute), 10)
	line = append(line, ' ')
	line = append(line, s.text...)
	line = append(line, '\n')
	n, _ := b.out.Write(line)
	b.written += n
}

//go:noinline
func (b *book) note(s signal) {
	fmt.Fprintf(b.log, "sensor %d at %d: %s is %.2f\n", s.sensor, s.minute, s.text, s.value)
}

func main() {
	var signals []signal
	refused := 0
	for _, line := range raw(1200) {
		if s, ok := decode(line); ok {
			signals = append(signals, s)
		} else {
			refused++
		}
	}
	b := &book{out: io.Discard, log: io.Discard}
	for _, s := range signals {
		b.write(s)
	}
	sum := 0
	for round := 0; round < 20; round++ {
		sum += seenBySlice(signals)
	}
	if len(os.Args) > 9 {
		b.note(signals[0])
		sum += seenByMap(signals)
	}
	fmt.Println(len(signals), refused, b.written, sum)
}
