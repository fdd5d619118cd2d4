package toolrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"regexp/syntax"
	"strconv"
	"syscall"

	"iterion/runtime/backend"
)

// mostMatched is how many lines a search for text gives unless it says so.
const mostMatched = 500

// query is the input of a search for text.
type query struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
	Glob    string `json:"glob"`
	Mode    string `json:"output_mode"`
	Fold    bool   `json:"-i"`
	After   int    `json:"-A"`
	Before  int    `json:"-B"`
	Around  int    `json:"-C"`
	Most    int    `json:"head_limit"`
}

// grep searches files for a regular expression.
func grep(ctx context.Context, r *Runner, a args) backend.CallResult {
	return searched(r.grep(ctx, a, func(string) error { return nil }))
}

// workspaceGrep is grep that does not leave the workspace.
func workspaceGrep(ctx context.Context, r *Runner, a args) backend.CallResult {
	return searched(r.grep(ctx, a, func(start string) error {
		if _, inside := under(r.workspace(), start); !inside {
			return errors.New("the path leads out of the workspace, where workspace_grep does not search")
		}
		return nil
	}))
}

func searched(text string, err error) backend.CallResult {
	if err != nil {
		return failed("the search failed: %v", plain(err))
	}
	return said(text)
}

func (r *Runner) grep(ctx context.Context, a args, may func(start string) error) (string, error) {
	in := query{Mode: "files_with_matches", Most: mostMatched}
	if err := a.into(&in); err != nil {
		return "", err
	}
	s, err := in.search()
	if err != nil {
		return "", err
	}
	real, err := r.locate(a, in.Path)
	if err == nil {
		err = may(real)
	}
	if err != nil {
		return "", err
	}
	s.base = r.workspace()
	s.walk = walk{ctx: ctx, gate: r.Gate(), start: real, wants: matching(in.Glob), visit: s.file}
	if err := errors.Join(s.run(), ctx.Err()); err != nil && !errors.Is(err, errEnough) {
		return "", err
	}
	return s.text("no line matches", &s.omissions), nil
}

// search is a search for text under way.
type search struct {
	walk
	listing
	query
	expr    *regexp.Regexp
	whole   bool   // a line matches only where the whole text does
	content []byte // of the file, used again for the next
}

func (in query) search() (*search, error) {
	if in.Around > 0 {
		in.Before, in.After = max(in.Before, in.Around), max(in.After, in.Around)
	}
	if in.Glob != "" {
		if err := walkable(in.Glob); err != nil {
			return nil, err
		}
	}
	// The flags stand before the expression, and not around it: a bracket of its
	// own could close the group.
	flags := "(?m)"
	if in.Fold {
		flags = "(?mi)"
	}
	if _, err := syntax.Parse(in.Pattern, syntax.Perl); err != nil {
		return nil, fmt.Errorf("the pattern is no regular expression in RE2 syntax: %w", err)
	}
	tree, err := syntax.Parse(flags+in.Pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	expr, err := regexp.Compile(flags + in.Pattern)
	return &search{query: in, listing: listing{most: in.Most}, expr: expr, whole: !anchored(tree)}, err
}

// anchored tells whether an expression looks for the start or the end of the
// text, which is a line's for a line.
func anchored(e *syntax.Regexp) bool {
	if e.Op == syntax.OpBeginText || e.Op == syntax.OpEndText {
		return true
	}
	for _, sub := range e.Sub {
		if anchored(sub) {
			return true
		}
	}
	return false
}

// run searches the start, which may be a file.
func (s *search) run() error {
	err := s.walk.run()
	if !errors.Is(err, syscall.ENOTDIR) {
		return err
	}
	folder, name := parted(s.start)
	dir, err := openFolder(folder)
	if err != nil {
		return err
	}
	defer dir.Close()
	if _, err := regular(dir, name); err != nil {
		return err
	}
	s.start = folder
	if reason, denied, asked := closed(s.gate, path.Join(folder, name)); denied || asked {
		s.add(reason, "file")
		return nil
	}
	return s.file(dir, name, name)
}

// file searches one file.
func (s *search) file(dir *os.Root, name, rel string) error {
	content, err := s.read(dir, name)
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	if err != nil {
		s.add(plain(err).Error(), "file")
		return nil
	}
	if content == nil || s.whole && !hasCR(content) && !s.anywhere(content) {
		return nil
	}
	shown := s.name(path.Join(s.start, rel))
	switch s.Mode {
	case "content":
		return s.matches(content, shown)
	case "count":
		if n := s.number(content); n > 0 {
			return s.line(shown + ":" + strconv.Itoa(n))
		}
		return nil
	}
	if s.first(content) {
		return s.line(shown)
	}
	return nil
}
