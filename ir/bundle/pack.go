package bundle

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// folders are those whose files belong to a bundle, whether a source names
// them or not.
var folders = []string{"attachments", "lib", "presets", "prompts", "skills"}

// papers are the files at the root that are for people.
var papers = []string{"LICENSE", "README.md"}

// maxWalk is how many files and folders are looked at.
const maxWalk = 100_000

// private are names of what is likely to be a secret, in lower case; a source
// or a text for a model (.bot, .md) is none, whatever its name.
var private = []string{
	"*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*",
	"credentials*", "secret.*", "secrets.*", "*.secret", "*.secrets",
}

// scratch are names of what tools and editors leave behind.
var scratch = []string{"*.botz", "*~", "*.swp", "*.pyc", "__pycache__"}

// Packed is a file that belongs into the archive of a bundle.
type Packed struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// Left is a file, or a whole folder with its `/`, that stays out of it.
type Left struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// Contents is what would be packed.
type Contents struct {
	Files   []Packed `json:"files"`    // sorted by name
	LeftOut []Left   `json:"left_out"` // belongs to no bundle
	Refused []Left   `json:"refused"`  // belongs to this one and cannot be packed
}

// Collect sorts the files of a bundle's folder. used are those that a build has
// read: they belong to the bundle wherever they lie.
func Collect(fsys fs.FS, used []string) (*Contents, error) {
	l := &lister{Contents: &Contents{Files: []Packed{}, LeftOut: []Left{}, Refused: []Left{}}, used: used, seen: newNames()}
	if err := fs.WalkDir(fsys, ".", l.visit); err != nil {
		return nil, err
	}
	if len(l.Files) > maxMembers || l.size > maxContent {
		return nil, fmt.Errorf("it has more than %d files, or more than %d MiB", maxMembers, maxContent>>20)
	}
	slices.SortFunc(l.Files, func(a, b Packed) int { return cmp.Compare(a.Name, b.Name) })
	return l.Contents, nil
}

// WithoutManifests leaves the manifests at the root out of a list of files.
func WithoutManifests(files []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(name string) bool { return slices.Contains(manifests, name) })
}

type lister struct {
	*Contents
	used    []string
	seen    *nameSet
	visited int
	size    int64
}

func (l *lister) visit(name string, d fs.DirEntry, err error) error {
	if l.visited++; l.visited > maxWalk {
		return errors.New("it holds too many files")
	}
	switch {
	case err != nil:
		return err
	case name == ".":
		return nil
	case d.IsDir():
		return l.folder(name)
	}
	why := l.stays(name, d)
	if why != "" {
		l.LeftOut = append(l.LeftOut, Left{name, why})
		return nil
	}
	return l.take(name, d)
}

// folder tells whether to look into a folder.
func (l *lister) folder(name string) error {
	why := ""
	switch base := path.Base(name); {
	case hidden(base):
		why = "it is hidden"
	case matches(base, scratch):
		why = "a tool left it behind"
	case !l.own(name) && !slices.ContainsFunc(l.used, func(u string) bool { return strings.HasPrefix(u, name+"/") }):
		why = "it is no folder of a bundle, and no source names a file in it"
	default:
		return nil
	}
	l.LeftOut = append(l.LeftOut, Left{name + "/", why})
	return fs.SkipDir
}

// own tells whether a path lies in a folder whose files all belong to the bundle.
func (l *lister) own(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return slices.Contains(folders, first)
}

// stays says why a file is left out, "" when it is not.
func (l *lister) stays(name string, d fs.DirEntry) string {
	used := slices.Contains(l.used, name)
	switch base := path.Base(name); {
	case !d.Type().IsRegular():
		return "it is a link or another special file"
	case hidden(base):
		return "it is hidden"
	case used:
		return ""
	case strings.HasSuffix(base, ".bot.yaml"):
		return "it is a draft of a `.bot`"
	case matches(base, scratch):
		return "a tool left it behind"
	case matches(base, private) && path.Ext(base) != ".bot" && path.Ext(base) != ".md":
		return "it looks like a secret"
	case l.own(name), slices.Contains(papers, name):
		return ""
	}
	return "no source names it"
}

func (l *lister) take(name string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	why := l.seen.add(name)
	if info.Size() > maxMember {
		why = fmt.Sprintf("is larger than %d MiB", maxMember>>20)
	}
	if why != "" {
		l.Refused = append(l.Refused, Left{name, "it " + why})
		return nil
	}
	l.size += info.Size()
	l.Files = append(l.Files, Packed{name, info.Size()})
	return nil
}

func hidden(base string) bool { return strings.HasPrefix(base, ".") }

func matches(base string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, _ := path.Match(p, strings.ToLower(base))
		return ok
	})
}

// packedAt is the time of every packed file: the first that a zip can hold.
var packedAt = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// Pack writes files into an archive. The same files give the same bytes.
func Pack(fsys fs.FS, files []Packed) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		if err := pack(w, fsys, f.Name); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func pack(w *zip.Writer, fsys fs.FS, name string) error {
	from, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: packedAt}
	header.SetMode(0o644)
	to, err := w.CreateHeader(header)
	if err != nil {
		return err
	}
	n, err := io.Copy(to, io.LimitReader(from, maxMember+1))
	if err == nil && n > maxMember {
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("it grew while it was read")}
	}
	return err
}
