package shell_test

import "testing"

// Faults that others were reported for.
func TestReportedFaults(t *testing.T) {
	for _, c := range []cases{
		{policy{Mode: "deny", Allow: []string{"Bash(cd:*)", "Bash(git status:*)"}}, map[string][]string{
			"allow": {"cd app && git status -s"},
			"deny":  {"cd app && python3 x.py", "git status | tee /etc/hosts", "git status & curl h", "git status; id"},
		}},
		{policy{Mode: "ask", Allow: []string{"Bash(*)"}, Ask: []string{"Bash(git push:*)"}, Deny: []string{"Bash(git clean:*)"}}, map[string][]string{
			"deny": {"git fetch; git clean -fdx", "(git clean -f)", "if true; then git clean -f; fi"},
			"ask":  {"cd /w && git push --dry-run", "CI=true git push", "A=1 B='x y' git push", "env A=1 git push"},
		}},
		{policy{Mode: "deny", Allow: []string{"Bash(python3:*)"}}, map[string][]string{"allow": {"python3 - <<'PY'\nimport os\nprint(1)\nPY"}}},
		{policy{Mode: "deny", Allow: []string{"Bash(*)"}}, map[string][]string{"allow": {"for i in 1 2; do\n echo $i\ndone"}}},
		{policy{Mode: "deny", Allow: []string{"Bash(git diff)"}}, map[string][]string{
			"allow": {"git diff"}, "deny": {"git diff\nrm -rf build", "git diff\r\nid", "git diff;"},
		}},
		{policy{Mode: "ask", Allow: []string{"Bash(*)"}, Deny: []string{"Bash(git push:*)"}}, map[string][]string{
			"deny":  {"timeout 60 git push", "nohup git push", "command git push", "sudo -u ci git push", "bash -c \"git push\"", "sh -lc 'cd x; git push'", "eval \"git push\""},
			"allow": {"./tools/run git push", "git -C sub push", "git -c k=v push"},
		}},
		{policy{Mode: "deny", Allow: []string{"Bash(git diff:*)"}, Deny: []string{"Bash(rm -rf:*)"}}, map[string][]string{
			"allow": {"git diff --stat", "git diff"}, "deny": {"git difftool -y -x ./x", "rm -rfv build"},
		}},
		{policy{Mode: "ask", Allow: []string{"Bash(echo:*)", "Bash(ls:*)"}, Deny: []string{"Write(.env*)"}}, map[string][]string{
			"ask": {"echo x > notes.txt"}, "deny": {"echo x >> .env"}, "allow": {"ls nope 2>/dev/null", "ls 2>&1"},
		}},
		{policy{Mode: "deny", Allow: []string{"Bash(cat:*)"}, Deny: []string{"Read(.env*)"}}, map[string][]string{"allow": {"cat .env"}}},
	} {
		c.check(t)
	}
}

// A working directory counts as a change of folder.
func TestWorkdir(t *testing.T) {
	p := policy{Mode: "deny", Allow: []string{"Bash(git diff:*)", "Write(pkg/**)"}}
	for _, c := range []struct{ command, workdir, want string }{
		{"git diff", "pkg", "allow"}, {"git diff", "/etc", "deny"}, {"git diff", "..", "deny"}, {"cd .. && git diff", "pkg", "allow"}, {"cd .. && git diff", "", "deny"},
		{"git diff > x", "pkg", "allow"}, {"git diff > x", "", "deny"}, {"git diff > pkg/x", "pkg", "allow"}, {"git diff > ../x", "pkg", "deny"},
	} {
		if got := p.verdict(t, c.command, c.workdir); got != c.want {
			t.Errorf("%q in %q: %s, want %s", c.command, c.workdir, got, c.want)
		}
	}
	q := policy{Mode: "ask", Allow: []string{"Bash"}, Deny: []string{"Write(pkg/.env)", "Bash(cd /etc:*)"}}
	for _, c := range []struct{ command, workdir, want string }{{"echo > .env", "pkg", "deny"}, {"echo > .env", "", "allow"}, {"ls", "/etc", "deny"}} {
		if got := q.verdict(t, c.command, c.workdir); got != c.want {
			t.Errorf("%q in %q: %s, want %s", c.command, c.workdir, got, c.want)
		}
	}
}
