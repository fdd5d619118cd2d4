package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A repository may be hostile: its configuration names programs that git runs
// by itself. So no command here runs without settings that overrule the
// repository's, and those which it names by keys of its own choice (filters,
// hooks) are looked up first and emptied. They are handed over by environment
// variables, which git 2.31 was the first to read. What git then still does with
// a repository is to read it: its objects, attributes, patterns of ignored files
// and links. The configuration of the user and of the system stays in force but
// for the same keys: what git-lfs keeps elsewhere is checked out as a pointer.
var settings = []setting{
	{"core.hooksPath", "/dev/null"},
	{"core.fsmonitor", "false"},
	{"submodule.recurse", "false"},
	{"diff.ignoreSubmodules", "all"},
	{"safe.bareRepository", "explicit"}, // a folder may be made to look like a repository
	{"gc.auto", "0"},
	{"maintenance.auto", "false"},
	{"core.safecrlf", "false"},             // or a line end stops a commit
	{"worktree.useRelativePaths", "false"}, // or the repository's configuration is changed
	{"merge.default", ""},
	{"core.filesRefLockTimeout", "10000"}, // runs in parallel wait for each other
	{"core.packedRefsTimeout", "10000"},
}

// emptied are the keys that name programs under a name of the repository's
// choice, and what overrules each. An empty program is none.
var emptied = map[string][]setting{
	"filter": {{"clean", ""}, {"smudge", ""}, {"process", ""}, {"required", "false"}},
	"hook":   {{"enabled", "false"}, {"event", ""}},
	"merge":  {{"driver", "false"}}, // a program, of the system's: the files conflict
}

// inherited are the variables of the process that git sees: where programs and the
// user's configuration are. The others may hold secrets, and are no business of
// what a repository gets to run after all.
var inherited = map[string]bool{
	"PATH": true, "HOME": true, "XDG_CONFIG_HOME": true, "USER": true, "LOGNAME": true, "TMPDIR": true, "TZ": true,
	"USERPROFILE": true, "HOMEDRIVE": true, "HOMEPATH": true, "APPDATA": true, "PROGRAMDATA": true, // Windows
	"SYSTEMROOT": true, "SYSTEMDRIVE": true, "WINDIR": true, "COMSPEC": true, "PATHEXT": true, "TEMP": true, "TMP": true,
}

// surroundings replace all variables of git's that the process has. No object is
// fetched (a partial clone runs core.sshCommand and the like for one that it
// lacks), no index is refreshed on the side, and nobody is asked for anything.
var surroundings = []string{
	"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
}

const (
	minMajor, minMinor = 2, 31 // of git
	killAfter          = 5 * time.Second
	shownError         = 2 << 10 // bytes
)

type setting struct{ key, value string }

// git runs commands in one place.
type git struct {
	dir      string
	env      []string
	settings []setting
}

func newGit(dir string, env ...string) git { return git{dir: dir, env: env, settings: settings} }

// gitError is a command that failed.
type gitError struct {
	command string
	stdout  string
	stderr  string
	cause   error
}

func (e *gitError) Unwrap() error { return e.cause }

func (e *gitError) Error() string {
	text := strings.TrimSpace(e.stderr)
	if text == "" {
		text = e.cause.Error()
	}
	return fmt.Sprintf("git %s: %s", e.command, text)
}

// run returns what a command prints, without the line break at its end. The
// error is a *gitError, or the cause of ctx when it ended.
func (g git) run(ctx context.Context, input string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = g.dir, g.environment(), killAfter
	if input != "" {
		cmd.Stdin = strings.NewReader(input)
	}
	ownGroup(cmd)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		said := stderr.Bytes()
		return "", &gitError{args[0], stdout.String(), string(said[max(0, len(said)-shownError):]), err}
	}
	return strings.TrimSuffix(stdout.String(), "\n"), nil
}

func (g git) environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return !inherited[strings.ToUpper(name)]
	})
	env = append(append(env, surroundings...), g.env...)
	env = append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(g.settings)))
	for i, s := range g.settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, s.key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, s.value))
	}
	return env
}

// armed empties the filters and hooks that the configuration names. It is asked
// in the place where they would run: a file may be included for one branch only.
func (g git) armed(ctx context.Context) (git, error) {
	names, err := g.run(ctx, "", "config", "--list", "--name-only", "-z")
	if err != nil {
		return g, err
	}
	g.settings = slices.Clone(g.settings)
	seen := map[string]bool{}
	for _, key := range strings.Split(names, "\x00") {
		section, rest, _ := strings.Cut(key, ".")
		dot := strings.LastIndexByte(rest, '.')
		if dot < 0 || emptied[section] == nil || seen[section+"."+rest[:dot]] {
			continue
		}
		name := section + "." + rest[:dot]
		seen[name] = true
		for _, s := range emptied[section] {
			g.settings = append(g.settings, setting{name + "." + s.key, s.value})
		}
	}
	return g, nil
}

// check tells why git cannot be used, "" when it can.
func (g git) check(ctx context.Context) (string, error) {
	text, err := g.run(ctx, "", "version")
	if errors.Is(err, exec.ErrNotFound) {
		return "git is not installed", nil
	}
	if err != nil {
		return "", err
	}
	var major, minor int
	if _, err := fmt.Sscanf(text, "git version %d.%d", &major, &minor); err != nil {
		return "the version of git cannot be read: " + text, nil
	}
	if major < minMajor || major == minMajor && minor < minMinor {
		return fmt.Sprintf("git %d.%d is installed, and %d.%d or later is needed", major, minor, minMajor, minMinor), nil
	}
	return "", nil
}
