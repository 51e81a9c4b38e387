package svg

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"
)

// Sizes of texts.
const (
	Normal = 13.0
	Small  = 12.0
)

// Colours are classes for the colours of data, for Rect, Path and Line. Black text can be read on
// each of them.
const Colours = 6

// Classes of what is not data.
const (
	Grid  = "grid"  // thin lines behind the data
	Axis  = "axis"  // lines of axes
	Lane  = "lane"  // areas behind the data
	Quiet = "quiet" // text that may be overlooked, and marks without a colour
	On    = "on"    // text on a colour of data
	Gap   = "gap"   // lines that part areas of one colour
)

// style has the two schemes. The colours of data are those of Okabe and Ito (2008).
const style = `<style>
.back{fill:#fff}.lane{fill:#eef1f4}text{fill:#1f2328}.quiet{fill:#59636e}.on{fill:#000}
.grid{stroke:#dfe3e8}.axis{stroke:#59636e}.gap{stroke:#fff}
.c0{fill:#56b4e9;stroke:#56b4e9}.c1{fill:#e69f00;stroke:#e69f00}.c2{fill:#009e73;stroke:#009e73}.c3{fill:#cc79a7;stroke:#cc79a7}.c4{fill:#d55e00;stroke:#d55e00}.c5{fill:#b3a900;stroke:#b3a900}
rect,.fill{stroke:none}.open{fill:none}
@media(prefers-color-scheme:dark){.back{fill:#0d1117}.lane{fill:#1c232c}text{fill:#e6edf3}.quiet{fill:#9ea7b3}.on{fill:#000}.grid{stroke:#2b333d}.axis{stroke:#9ea7b3}.gap{stroke:#0d1117}.c5{fill:#f0e442;stroke:#f0e442}}
</style>
`

// Colour returns the class of colour i. After [Colours] colours they begin again.
func Colour(i int) string { return "c" + strconv.Itoa(i%Colours) }

// Picture is a picture that is being drawn. Lengths are in pixels, and y grows downwards.
type Picture struct {
	body bytes.Buffer
}

// New begins a picture with a background. Readers who do not see it are told the title.
func New(width, height float64, title string) *Picture {
	p := new(Picture)
	fmt.Fprintf(&p.body, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %[1]s %[2]s\" role=\"img\" font-family=\"Helvetica,Arial,sans-serif\" font-size=\"%s\">\n",
		number(width), number(height), number(Normal))
	fmt.Fprintf(&p.body, "<title>%s</title>\n%s<path class=\"back\" d=\"M0 0H%sV%sH0z\"/>\n", html.EscapeString(title), style, number(width), number(height))
	return p
}

// Rect draws a box. A title, which browsers show beside the pointer, may be "".
func (p *Picture) Rect(class string, x, y, width, height float64, title string) {
	fmt.Fprintf(&p.body, "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"", class, number(x), number(y), number(width), number(height))
	if title == "" {
		p.body.WriteString("/>\n")
		return
	}
	fmt.Fprintf(&p.body, "><title>%s</title></rect>\n", html.EscapeString(title))
}

// Area draws a box that is no data.
func (p *Picture) Area(class string, x, y, width, height float64) {
	p.Path(class+" fill", fmt.Sprintf("M%s %sh%sv%sh%sz", number(x), number(y), number(width), number(height), number(-width)), 0, "")
}

// Line draws a line. Dashes are as in SVG, and may be "".
func (p *Picture) Line(class string, x1, y1, x2, y2, width float64, dashes string) {
	p.Path(class, fmt.Sprintf("M%s %sL%s %s", number(x1), number(y1), number(x2), number(y2)), width, dashes)
}

// Path draws a path in the language of SVG. It is filled where the width of its line is 0 or the
// class has "fill" in it.
func (p *Picture) Path(class, d string, width float64, dashes string) {
	if width > 0 && !strings.Contains(class, "fill") {
		class += " open"
	}
	fmt.Fprintf(&p.body, "<path class=\"%s\" d=\"%s\"", class, d)
	if width > 0 {
		fmt.Fprintf(&p.body, " stroke-width=\"%s\"", number(width))
	}
	if dashes != "" {
		fmt.Fprintf(&p.body, " stroke-dasharray=\"%s\"", dashes)
	}
	p.body.WriteString("/>\n")
}

// Dot draws a filled circle.
func (p *Picture) Dot(class string, x, y, radius float64) {
	fmt.Fprintf(&p.body, "<circle class=\"%s fill\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>\n", class, number(x), number(y), number(radius))
}

// An Anchor is what x is of a text.
type Anchor string

const (
	Start  Anchor = ""
	Middle Anchor = "middle"
	End    Anchor = "end"
)

// Text writes a text of a size, whose baseline is at y. The class may be "".
func (p *Picture) Text(class string, size, x, y float64, anchor Anchor, text string) {
	fmt.Fprintf(&p.body, "<text x=\"%s\" y=\"%s\"", number(x), number(y))
	if class != "" {
		fmt.Fprintf(&p.body, " class=\"%s\"", class)
	}
	if size != Normal {
		fmt.Fprintf(&p.body, " font-size=\"%s\"", number(size))
	}
	if anchor != Start {
		fmt.Fprintf(&p.body, " text-anchor=\"%s\"", anchor)
	}
	fmt.Fprintf(&p.body, ">%s</text>\n", html.EscapeString(text))
}

// WriteTo ends the picture and writes it. The error is w's.
func (p *Picture) WriteTo(w io.Writer) (int64, error) {
	p.body.WriteString("</svg>\n")
	return p.body.WriteTo(w)
}

// number writes a length, in hundredths at the finest.
func number(v float64) string {
	s := strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0")
	if s = strings.TrimSuffix(s, "."); s == "-0" {
		return "0"
	}
	return s
}
