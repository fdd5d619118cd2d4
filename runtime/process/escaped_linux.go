package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// looks bounds how often it is looked whether killed processes are gone, a
// millisecond apart: one that hangs in the kernel stays.
const looks = 500

// escaped finds the marked processes outside the group, whose own have been
// killed. With kill it ends them and those that they start meanwhile, until two
// looks find nothing: between them a daemon may have forked and ended.
func (g *group) escaped(mark string, kill bool) []Survivor {
	pgid := g.watcher.Process.Pid
	first := marked(mark, pgid)
	left := first
	for look, none := 0, 0; kill && none < 2 && look < looks; look++ {
		none++
		for _, s := range left {
			end(s.PID, mark)
			none = 0
		}
		if none == 0 {
			time.Sleep(time.Millisecond)
		}
		left = marked(mark, pgid)
	}
	return first
}

// marked lists the processes that carry a mark and are not of the group.
func marked(mark string, pgid int) (list []Survivor) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || !carries(pid, mark) {
			continue
		}
		if group := groupOf(pid); group != 0 && group != pgid {
			list = append(list, Survivor{PID: pid, Command: commandOf(pid)})
		}
	}
	return list
}

// end kills a process if it carries the mark. The process is held before it is
// looked at, so that another one with its number is not hit.
func end(pid int, mark string) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	defer p.Release()
	if carries(pid, mark) {
		_ = p.Kill()
	}
}

func carries(pid int, mark string) bool {
	env, err := os.ReadFile(procFile(pid, "environ")) // of others and of the dead: an error, or empty
	return err == nil && bytes.Contains(env, []byte(mark+"="))
}

// groupOf returns a process's group; 0 when it is gone.
func groupOf(pid int) int {
	stat, _ := os.ReadFile(procFile(pid, "stat"))
	// pid (name) state parent group …, and the name may hold anything.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 3 {
		return 0
	}
	n, _ := strconv.Atoi(fields[2])
	return n
}

func commandOf(pid int) string {
	args, _ := os.ReadFile(procFile(pid, "cmdline"))
	line := []rune(strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(string(args), "\x00", " "), "\uFFFD")))
	return string(line[:min(len(line), 200)])
}

func procFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}
