package svg

// widths are those of the characters from ' ' to '~', in hundredths of the size: the widest of
// DejaVu Sans, Liberation Sans and what is like them.
var widths = [...]uint8{
	32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34,
	64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 56,
	102, 69, 69, 73, 78, 67, 62, 78, 76, 30, 50, 67, 56, 87, 75, 79,
	67, 79, 73, 67, 62, 74, 69, 99, 69, 67, 69, 40, 34, 40, 84, 56,
	50, 62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62,
	64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
}

// Above and below the baseline a character takes so much of its size.
const (
	ascent  = 0.78
	descent = 0.23
)

// Width returns the room that a text of a size needs in the widest usual font.
func Width(text string, size float64) float64 {
	sum := 0
	for _, r := range text {
		if r == '\u00a0' {
			r = ' '
		}
		if i := int(r) - ' '; i >= 0 && i < len(widths) {
			sum += int(widths[i])
		} else {
			sum += 102
		}
	}
	return float64(sum) / 100 * size
}

// Fit returns the text, or as many of its first characters as have room, and an ellipsis.
func Fit(text string, size, room float64) string {
	if Width(text, size) <= room {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && Width(string(runes), size)+Width("…", size) > room {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}
