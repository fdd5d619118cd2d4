package shell_test

import "testing"

// cases are commands under one policy: each of want's verdicts for its lines.
type cases struct {
	policy policy
	want   map[string][]string // verdict to commands
}

func (c cases) check(t *testing.T) {
	t.Helper()
	for want, commands := range c.want {
		for _, command := range commands {
			if got := c.policy.verdict(t, command, ""); got != want {
				t.Errorf("%q: %s, want %s", command, got, want)
			}
		}
	}
}

// A denied command is found in every place where a shell runs one.
func TestClosing(t *testing.T) {
	cases{policy{Mode: "ask", Allow: []string{"Bash"}, Deny: []string{"Bash(git push:*)"}}, map[string][]string{
		"deny": {
			"git push", " git push", "git\tpush", "GIT push", "/usr/bin/Git push", "./x/git push", "git \\\n push", "g''it pu\"\"sh", "$'g\\x69t' push", "$'git\\0x' push",
			"$'\\147it' push", "\"git\" 'push'", "{git,push}", "{git,push,-f}", "git {push,}", "{,git} push", "g{i..i}t push",
			"A=1 B=$X git push", ">x git push", "git push 2>&1 | tee log", "git >x push",
			"a; git push", "a & git push", "a || git push", "a && (b; git push)", "if a; then git push; fi", "if git push; then a; fi", "if a; then b; elif git push; then c; fi",
			"case x in a|b) ;; *) git push;; esac", "for i in $(git push); do :; done", "for ((i=0; i<$(git push); i++)); do :; done", "select x in a; do git push; done",
			"until git push; do :; done", "f() { git push; }", "function f { git push; }", "f() (git push)", "coproc git push", "coproc X { git push; }", "! git push", "time -p git push",
			"a | b | git push", "a |& git push", "echo \"$(git push)\"", "echo ${x:-$(git push)}", "echo \"${x:-`git push`}\"", "echo $((1 + $(git push)))", "((x = $(git push)))",
			"[[ -n $(git push) ]]", "[ -n \"$(git push)\" ]", "x=$(git push)", "x=($(git push))", "a[$(git push)]=1", "export x=$(git push)", "declare -a x=($(git push))",
			"cat <<E\n$(git push)\nE", "cat <<< $(git push)", "cat < <(git push)", "tee >(git push)", "a > >(git push)", "let x=$(git push)", "echo ${a[$(git push)]}", "echo ${x/$(git push)/b}", "echo ${x:$(git push)}",
			"echo $(echo $(echo $(git push)))", "!(git push)", "{ git push; } > x", "git push & wait", "(git push)", "( (git push) )",
		},
		"allow": {
			"git pull", "echo git push", "echo 'git push'", "# git push", "a # git push", "cat <<'E'\ngit push\nE", "cat <<'E'\n$(git push)\nE", "echo '$(git push)'", "echo \"\\$(git push)\"",
			"python3 - <<'E'\ngit push\nE", "git log --grep 'git push'", "printf 'git push' > x", "x='git push'", "./tools/run git push", "echo git push | cat", "cat <<< 'git push'", "git-push",
		},
	}}.check(t)
}

// A wrapper hides nothing.
func TestWrappers(t *testing.T) {
	cases{policy{Mode: "ask", Allow: []string{"Bash"}, Deny: []string{"Bash(git push:*)"}}, map[string][]string{
		"deny": {
			"env git push", "env -i git push", "env -u X git push", "env --unset=X git push", "env --unset X git push", "env A=1 B='x y' git push", "env -C /tmp git push", "env --chdir /tmp git push", "env -- git push",
			"env -S 'git push'", "env -S'git push'", "env -vS 'git push'", "env --split-string='git push'", "env --split='git push'", "env -S 'A=1 git' push", "env -S 'git\\_push'", "/usr/bin/env git push", "env env git push",
			"command git push", "command -p git push", "command -- git push", "builtin eval git push", "exec git push", "exec -a x git push", "exec -cl git push", "nohup git push",
			"nice git push", "nice -n5 git push", "nice -n 5 git push", "nice -5 git push", "nice --adjustment 5 git push", "ionice -c 3 git push", "ionice -c3 -n 1 git push",
			"time git push", "\\time -f %e git push", "/usr/bin/time -o f -v git push", "time -f %e git push", "timeout 5 git push", "timeout -k 1 5s git push", "timeout --signal=KILL 5 git push", "timeout -s KILL 5 git push", "timeout --kill-after 1 5 git push", "timeout $T git push", "timeout \"$T\" git push",
			"stdbuf -oL git push", "stdbuf -o L git push", "stdbuf --output=L git push", "setsid git push", "setsid -w git push", "taskset 1 git push", "taskset -c 0,1 git push", "chroot /x git push", "chroot --userspec=a /x git push",
			"flock f git push", "flock -w 5 f git push", "flock f -c 'git push'", "flock -x f -c 'cd a; git push'", "flock -n 9 git push", "watch git push", "watch -n 5 git push", "watch 'git push; a'", "watch -n5 'a && git push'", "busybox git push", "busybox sh -c 'git push'",
			"sudo git push", "sudo -u bob git push", "sudo -nu bob git push", "sudo -E A=1 git push", "sudo -- git push", "sudo -u bob -g x -- git push", "sudo --user bob git push", "sudo --user=bob git push", "sudo -D /x git push", "sudo -s git push", "sudo -i git push", "sudo sudo git push", "sudo bash -c 'git push'",
			"doas git push", "doas -u bob git push", "su -c 'git push'", "su bob -c 'git push'", "su - bob -c 'a; git push'", "su --command='git push' bob", "su --command 'git push'", "su -lc 'git push'", "su -s /bin/sh -c 'git push' bob",
			"xargs git push", "xargs -n 1 git push", "xargs -n1 -P 4 git push", "xargs -0r git push", "xargs -I{} git push {}", "xargs -I {} git push {}", "xargs -i git push {}", "xargs --max-args 1 git push", "xargs --max-args=1 git push", "a | xargs -d '\\n' git push", "xargs sh -c 'git push'", "xargs -a f git push", "xargs env git push",
			"find . -exec git push \\;", "find . -exec git push {} +", "find . -name x -execdir git push ';'", "find . -ok git push \\;", "find . -okdir git push {} \\;", "find . -exec echo {} \\; -exec git push \\;", "find . -exec sh -c 'git push' \\;", "find . -exec env git push {} +", "find . \"$X\" git push \\;",
			"bash -c 'git push'", "bash -lc 'git push'", "bash -ec 'git push'", "bash +x -c 'git push'", "bash -c -e 'git push'", "bash -c -- 'git push'", "bash -o pipefail -c 'git push'", "bash -co pipefail 'git push'", "bash --norc -c 'git push'", "bash --rcfile x -c 'git push'", "bash -O extglob -c 'git push'",
			"sh -c 'git push'", "dash -c 'git push'", "ash -c 'git push'", "ksh -c 'git push'", "zsh -c 'git push'", "fish -c 'git push'", "fish -c'git push'", "fish --command='git push'", "/bin/SH -c 'git push'", "bash -c 'bash -c \"git push\"'", "bash -c \"a; git push $X\"",
			"eval git push", "eval 'git push'", "eval \"git\" 'push'", "eval -- git push", "eval 'eval \"git push\"'", "eval \"git push $X\"", "trap 'git push' EXIT", "trap -- 'git push' 0", "alias g='git push'", "alias a=b g='git push'",
			"bash <<E\ngit push\nE", "bash <<'E'\na\n  git push\nE", "bash <<'E'\ngit push\\\n\nE", "sh <<-E\n\tgit push\n\tE", "sh <<< 'git push'", "bash -s <<< 'git push'", "bash -s a b <<< 'git push'", "bash - <<< 'git push'", "bash /dev/stdin <<< 'git push'", "bash /dev/fd/3 3<<< 'git push'", "bash /proc/self/fd/0 <<< 'git push'", ". /dev/stdin <<< 'git push'", "source /dev/stdin <<E\ngit push\nE",
			"echo git push | sh", "echo 'git push' | bash -s", "echo -e 'a\\ngit push' | sh", "echo -n 'git push' | sudo bash", "printf 'git push' | sh", "printf '%s\\n' 'git push' | sh", "printf 'git %s' push | sh", "printf '%b' 'a\\ngit push' | sh", "printf '\\x67it push' | sh", "cat <<E | sh\ngit push\nE", "cat <<< 'git push' | sh", "echo 'git push' | cat | sh", "echo 'git push' | tee f | sh",
			"{ echo a; echo git push; } | sh", "(echo git push) | sh", "echo git push | { sh; }", "echo git push | (cd x; bash)", "{ bash; } <<< 'git push'", "while sh; do :; done <<< 'git push'", "bash <(echo git push)", "source <(echo git push)", ". <(printf 'git push')", "bash < <(echo git push)", "sh -c sh <<< 'git push'", "env sh <<< 'git push'", "builtin echo git push | sh", "true && echo git push | sh",
			"jobs -x git push", "mapfile -C 'git push' -c 1 x", "compgen -C 'git push'", "eval \"$(echo git push)\"", "$(echo git push)", "$(echo git) push", "$SUDO git push", "~/bin/git push", "$HOME/bin/git push",
		},
		"allow": {
			"env", "env A=1", "command -v git", "sudo -l", "nice", "bash --version", "bash x.sh", "bash ./x.sh git push", "sh x.sh", "make", "python3 -c 'x'", "source venv/bin/activate", ". ./x", "bash -n x.sh", "bash < x.sh", "find . -name x", "find \"$D\" -name '*.go'", "trap - EXIT", "trap '' INT", "trap 'rm -f x' EXIT", "alias", "alias l='ls'", "eval", "echo ls | sh", "bash -c 'ls; cd x'", "sh <<< ls", "bash -c 'echo git push'", "xargs ls", "xargs -n 1 rm", "timeout 5 ls", "sudo -u bob ls", "echo 'git push' | grep x", "bash scripts/$X.sh", "bash ~/x.sh", "watch ls", "flock f ls", "su -c ls", "find . -exec ls {} +",
		},
	}}.check(t)
}
