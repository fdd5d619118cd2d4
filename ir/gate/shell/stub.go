package shell

type Neutral uint8

const (
	Not Neutral = iota
	Always
	Folder
)

type Script struct {
	Texts        []string
	Writes       []Write
	Opaque       string
	Heads        []string
	DynamicWrite bool
	Plain        string
	Simple       []Simple
}
type Write struct {
	Path string
	Dirs []string
}
type Simple struct {
	Text, Source string
	Fixed        int
	Neutral      Neutral
	Dirs         []string
}

func Parse(command, workdir string) *Script {
	return &Script{Texts: []string{command}, Simple: []Simple{{Text: command, Source: command, Fixed: len(command)}}}
}
func Wrapper(string) bool { return false }
