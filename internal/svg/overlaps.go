package svg

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// box is a text and where it is.
type box struct {
	text                     string
	left, top, right, bottom float64
}

func (b box) overlaps(c box) bool {
	return b.left < c.right && c.left < b.right && b.top < c.bottom && c.top < b.bottom
}

// state is what an element has from those around it.
type state struct {
	size   float64
	anchor string
	x, y   float64
}

// Overlaps returns a line for each two texts that overlap in the widest usual font, and
// for each text that leaves the picture. What it cannot place is an error: a text in several pieces
// or turned, or a picture without a viewBox.
func Overlaps(r io.Reader) (lines []string, err error) {
	boxes, canvas, err := boxesOf(r)
	if err != nil {
		return nil, err
	}
	for i, b := range boxes {
		if b.left < canvas.left || b.right > canvas.right || b.top < canvas.top || b.bottom > canvas.bottom {
			lines = append(lines, fmt.Sprintf("%q leaves the picture", b.text))
		}
		for _, c := range boxes[:i] {
			if b.overlaps(c) {
				lines = append(lines, fmt.Sprintf("%q overlaps %q", c.text, b.text))
			}
		}
	}
	return lines, nil
}

func boxesOf(r io.Reader) (boxes []box, canvas box, err error) {
	d := xml.NewDecoder(r)
	states := []state{{size: 16}}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			if canvas.right == 0 {
				return nil, box{}, errors.New("the picture has no viewBox")
			}
			return boxes, canvas, nil
		}
		if err != nil {
			return nil, box{}, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			s, at, err := entered(states[len(states)-1], t)
			if err != nil {
				return nil, box{}, err
			}
			if at.right > 0 {
				canvas = at
			}
			if t.Name.Local != "text" {
				states = append(states, s)
				break
			}
			var content struct {
				Text   string     `xml:",chardata"`
				Pieces []struct{} `xml:",any"`
			}
			if err := d.DecodeElement(&content, &t); err != nil {
				return nil, box{}, err
			}
			if len(content.Pieces) > 0 {
				return nil, box{}, fmt.Errorf("the text %q has pieces", content.Text)
			}
			if text := strings.TrimSpace(content.Text); text != "" {
				boxes = append(boxes, placed(s, text))
			}
		case xml.EndElement:
			states = states[:len(states)-1]
		}
	}
}

// entered returns the state within an element, and its viewBox if it has one.
func entered(s state, e xml.StartElement) (_ state, canvas box, err error) {
	for _, a := range e.Attr {
		v := strings.TrimSuffix(a.Value, "px")
		switch a.Name.Local {
		case "viewBox":
			_, err = fmt.Sscan(v, &canvas.left, &canvas.top, &canvas.right, &canvas.bottom)
			canvas.right += canvas.left
			canvas.bottom += canvas.top
		case "font-size":
			s.size, err = strconv.ParseFloat(v, 64)
		case "text-anchor":
			s.anchor = v
		case "style", "transform", "dx", "dy", "rotate":
			if n := e.Name.Local; n == "text" || n == "g" || n == "svg" {
				err = fmt.Errorf("the attribute %s of an element %s", a.Name.Local, n)
			}
		case "x", "y":
			if e.Name.Local != "text" {
				break
			}
			var at float64
			if at, err = strconv.ParseFloat(v, 64); a.Name.Local == "x" {
				s.x = at
			} else {
				s.y = at
			}
		}
		if err != nil {
			return s, canvas, err
		}
	}
	return s, canvas, nil
}

func placed(s state, text string) box {
	width := Width(text, s.size)
	left := s.x
	switch s.anchor {
	case "middle":
		left -= width / 2
	case "end":
		left -= width
	}
	return box{text, left, s.y - ascent*s.size, left + width, s.y + descent*s.size}
}
