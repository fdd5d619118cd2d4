package check

import (
	"regexp"
	"strings"
	"sync"

	"iterion/grammar/lexer"
)

// noiseEnv is the variable that holds the list of paths.
const noiseEnv = "ITERION_TREE_NOISE"

func holdsNoiseEnv(text string) bool { return strings.Contains(text, noiseEnv) }

var noiseWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^"\$(?:` + noiseEnv + `|\{` + noiseEnv + `(?:[^A-Za-z0-9_{}][^{}]*)?\})"$`)
})

// openTest is the name of a test that goes on to its `]]`.
const openTest = "[["

// command is the simple command that is being read.
type command struct {
	name     string   // "" before its first word
	noise    []region // words of it that are the quoted list
	redirect bool     // the next word is the target of a redirection
}

// cases is where a `case` has got to.
type cases uint8

const (
	caseWord    cases = iota // between `case` and `in`
	casePattern              // before a `)`
	caseBody
)

// commands reads commands up to a closing byte, 0 for the end of the text, and
// returns the offset behind it, -1 when it never comes.
func (s *shellText) commands(at int, closing byte) int {
	var cmd command
	var open []cases
	depth := 0 // of `(`
	for at < len(s.text) {
		switch b := s.text[at]; {
		case b == closing && (closing != ')' || depth == 0 && !inPattern(open)):
			s.finish(&cmd, false)
			return at + 1
		case b == '\n':
			s.finish(&cmd, false)
			at = s.bodies(at + 1)
		case b == ' ' || b == '\t':
			at++
		case b == '#':
			end := at + len(lineOf(s.text[at:]))
			s.regions = append(s.regions, region{commentText, at, end})
			at = end
		case strings.HasPrefix(s.text[at:], "((") && cmd.name == "":
			at = s.open(arithmetic, at, s.sums, at+2)
		case strings.HasPrefix(s.text[at:], "\\\n"):
			at += 2
		case b == '(' && at > 0 && s.text[at-1] == '=':
			at = s.array(at)
		case b == '(':
			depth++
			at++
		case b == ')' && inPattern(open):
			open[len(open)-1] = caseBody
			cmd = command{}
			at++
		case b == ')':
			depth = max(depth-1, 0)
			if cmd.name != openTest {
				s.finish(&cmd, false)
			}
			at++
		case b == ';' || b == '&' && !strings.HasPrefix(s.text[at:], "&>") || b == '|':
			at = s.operator(&cmd, open, at)
		case b == '<' || b == '>' || b == '&':
			at = s.redirection(&cmd, at)
		default:
			at = s.word(&cmd, &open, at)
		}
	}
	s.finish(&cmd, false)
	if closing != 0 {
		return -1
	}
	return at
}

func inPattern(open []cases) bool { return len(open) > 0 && open[len(open)-1] == casePattern }

func lineOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// array reads the elements of an assignment.
func (s *shellText) array(at int) int {
	known := len(s.noise)
	end := s.open(substitution, at, func(i int) int { return s.commands(i, ')') }, at+1)
	s.noise = s.noise[:known]
	return end
}

// operator reads what parts two commands.
func (s *shellText) operator(cmd *command, open []cases, at int) int {
	end := at + 1
	for end < len(s.text) && (s.text[end] == s.text[at] || s.text[end] == '&') && end-at < 3 {
		end++
	}
	sign := s.text[at:end]
	if inPattern(open) || cmd.name == openTest {
		return end // `a|b)`, `[[ a && b ]]`
	}
	if strings.HasPrefix(sign, ";;") && len(open) > 0 {
		open[len(open)-1] = casePattern
	}
	s.finish(cmd, sign == "|" || sign == "|&")
	return end
}

// redirection reads its sign; the word behind it is no operand.
func (s *shellText) redirection(cmd *command, at int) int {
	if !strings.HasPrefix(s.text[at:], "<<<") {
		if end, ok := s.heredoc(at); ok {
			return end
		}
	}
	if strings.HasPrefix(s.text[at+1:], "(") { // a process stands for a file
		return s.open(substitution, at, func(i int) int { return s.commands(i, ')') }, at+2)
	}
	for at < len(s.text) && strings.IndexByte("<>&|", s.text[at]) >= 0 {
		at++
	}
	cmd.redirect = true
	return at
}

// word reads one word and files it by its place in the command.
func (s *shellText) word(cmd *command, open *[]cases, at int) int {
	end := s.wordEnd(at)
	text := s.text[at:end]
	switch {
	case cmd.redirect:
		cmd.redirect = false
	case len(*open) > 0 && (*open)[len(*open)-1] == caseWord:
		if text == "in" {
			(*open)[len(*open)-1] = casePattern
			*cmd = command{}
		}
	case inPattern(*open):
		if text == "esac" {
			*open = (*open)[:len(*open)-1]
		}
	case cmd.name == "" && text == "esac" && len(*open) > 0:
		*open = (*open)[:len(*open)-1]
	case cmd.name == "" && text == "case":
		*open = append(*open, caseWord)
	case cmd.name == "" && beforeCommand(text):
	case cmd.name == openTest && text == "]]":
		cmd.name = "["
	case strings.HasPrefix(text, `"$`) && noiseWord().MatchString(text):
		cmd.noise = append(cmd.noise, region{doubleQuotes, at, end})
		cmd.name = nameOr(cmd.name, text)
	default:
		cmd.name = nameOr(cmd.name, text)
	}
	return max(end, at+1)
}

func nameOr(name, word string) string {
	if name == "" {
		return word
	}
	return name
}

// beforeCommand tells whether a command's name is still to come.
func beforeCommand(word string) bool {
	switch word {
	case "!", "{", "}", "if", "then", "else", "elif", "fi", "while", "until", "do", "done", "time":
		return true
	}
	return assigns(word)
}

// assigns tells whether a word begins as `name=`, `name+=` or `name[i]=` does.
func assigns(word string) bool {
	end := lexer.WordEnd(word, 0)
	if end == 0 || word[0]-'0' <= 9 {
		return false
	}
	rest := word[end:]
	if strings.HasPrefix(rest, "[") {
		if rest = rest[strings.IndexByte(rest, ']')+1:]; rest == word[end:] {
			return false
		}
	}
	return strings.HasPrefix(strings.TrimPrefix(rest, "+"), "=")
}

// wordEnd reads a word with its quotes and expansions.
func (s *shellText) wordEnd(at int) int {
	for at < len(s.text) {
		switch s.text[at] {
		case ' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')':
			return at
		case '\\':
			at += 2
		case '"':
			at = s.open(doubleQuotes, at, s.double, at+1)
		case '\'':
			at = s.open(singleQuotes, at, s.single, at+1)
		case '`':
			if s.tick {
				return at
			}
			at = s.expansion(at)
		case '$':
			at = s.expansion(at)
		default:
			at++
		}
	}
	return len(s.text)
}

// finish ends a command. What a test compares is no list of paths, and what is
// written into a pipe may be split behind it.
func (s *shellText) finish(cmd *command, piped bool) {
	switch cmd.name {
	case "[", openTest, "test":
	case "echo", "printf":
		if !piped {
			s.noise = append(s.noise, cmd.noise...)
		}
	default:
		s.noise = append(s.noise, cmd.noise...)
	}
	*cmd = command{}
}
