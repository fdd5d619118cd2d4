package shell_test

import "testing"

var testAndDiff = []string{"Bash(go test:*)", "Bash(git diff:*)"}

// A prefix opens a compound command only when all in it is opened or neutral.
func TestOpening(t *testing.T) {
	cases{policy{Mode: "deny", Allow: testAndDiff}, map[string][]string{
		"allow": {
			"go test", "go  test\t./...", "go test 'a b'", "\"go\" test", "g\\o test", "go test $PKG", "go test *.go", "go test {a,b}", "go test ~/x", "go test \"$X\" b", "go test $(git diff)", "go test `git diff`", "go test <(git diff)", "go test # x",
			"go test && git diff", "go test; git diff;", "go test &", "(go test)", "{ go test; }", "! go test", "time go test", "time -p go test", "if go test; then git diff; else true; fi", "while go test; do sleep 1; done", "until go test; do break; done", "case $x in a) go test;; *) git diff;; esac", "for p in a b; do go test ./$p; done", "for p in $(git diff); do go test $p; done",
			"timeout 5 go test", "timeout 1.5m go test", "CI=1 go test", "CI=1 GOOS=linux go test", "CI=1 timeout 5 go test", "LC_ALL=C git diff | LC_ALL=C sort", "LANG=en_US.UTF-8 git diff", "CI='true' go test", "time CI=1 go test",
			"go test 2>&1", "go test >/dev/null 2>&1", "go test &>/dev/null", "go test 2>/dev/stderr", "go test < x", "go test <<< x", "go test <<E\n$X\nE", "go test >&2", "go test 2>&-",
			"cd pkg && go test", "cd pkg; go test", "pushd pkg && go test", "cd pkg && cd .. && go test", "cd ./a/../b && go test", "cd pkg || exit 1; cd .. ; go test", "(cd pkg && go test); (cd pkg && git diff)", "for p in a b; do (cd a && go test); done", "cd a && (cd b && go test) && cd .. && go test",
			"true && go test", ": x; go test", "set -euo pipefail; go test", "set -e -u -x -o pipefail\ngo test", "[ -f x ] && go test", "test -d x || go test", "[[ -f x ]] && go test", "[[ a == b && ! -d y ]] || go test", "pwd; go test", "sleep 5; go test", "go test; exit 1", "go test & wait", "go test; wait 1", "for i in 1; do go test || break; done",
			"echo hi; go test", "echo '== x'; go test", "go test; echo $?", "go test; echo \"rc=$? ${PIPESTATUS[0]}\"", "printf '%s\\n' x; go test", "printf -- '%d' 3; go test", "printf '100%%n'; go test", "for p in a; do echo \"$p ${p}\"; go test; done", "for p in a; do echo \"* [$p]\" 'x'$p; go test; done",
			"go test | cat", "go test | head -5", "go test | head -n 5", "go test | head -n5 -q", "go test | tail --lines=5", "go test | wc -l", "go test | sort -u -k2,2 -t :", "go test | sort --reverse", "go test | uniq -c", "go test | cut -d: -f1", "go test | tr a-z A-Z", "go test | tr -d '\\n'", "go test | grep -v '^ok'", "go test | grep -E 'a b' -A 3", "go test | grep -e a -e b", "go test | grep --color=never x", "go test | nl -ba", "go test |& tail -5", "go test | grep -c x | sort -rn | head -1", "go test | grep -5 x",
			"go test ${x:-a} ${x#b} ${x%b} ${x/a/b} ${x+y} ${x?no} ${#x} ${a[0]} ${a[@]}",
		},
		"deny": {
			"go", "gotest", "go testx", "go 'test x'", "go \"test$(echo ' x')\"", "go \"test$(true)\"", "'go test'", "go\\ test", "go test;rm x", "go test\nrm x", "go test & rm x", "go test && rm x", "go test | rm x", "go test $(rm x)", "go test `rm`", "go test <(rm x)", "go test > >(rm x)", "go test \"${x:-$(rm)}\"", "go test <<E\n$(rm)\nE", "go test <<< $(rm)", "go test || (rm x)", "if go test; then rm x; fi", "case $(rm) in a) go test;; esac", "for i in $(rm); do go test; done",
			"$X", "go $X", "go$X test", "g? test", "{go,x} test", "./go test", "/usr/bin/go test", "Go test", "go tes{t,}", "\\\ngo tes\\t $(rm x)", "sudo go test", "env go test", "command go test", "nice go test", "exec go test", "xargs go test", "bash -c 'go test'", "eval go test", "timeout -k 1 5 go test", "timeout $X go test", "timeout 5 timeout x go test", "\\time go test", "busybox go test",
			"FOO=1 go test", "PATH=x go test", "CI=$X go test", "CI=$(rm) go test", "CI=a/b go test", "CI='a b' go test", "CI+=1 go test", "FOO=1 timeout 5 go test", "GIT_SSH_COMMAND=x git diff", "GOFLAGS=-exec=x go test", "CI[0]=1 go test",
			"go test > x", "go test >> x", "go test &> x", "go test 2> x", "go test >| x", "go test <> x", "go test >& x", "go test > $X", "go test > \"$X\"", "go test > ~/x", "go test > *", "> x; go test", "{ go test; } > x", "go test > /dev/tcp/a/1", "go test < /dev/tcp/a/1", "go test <> /dev/udp/a/1", "go test < $X", "for x in /dev/tcp/a/1; do go test < $x; done", "go test {x}>/dev/null", "go test {x}>&1", "go test 1< x > /dev/stdout", "go test <x 1>&0 >/dev/stdout", "go test 3<x 1>&3 2>/dev/stdout",
			"cd / && go test", "cd .. && go test", "cd ../x && go test", "cd && go test", "cd - && go test", "cd ~ && go test", "cd ~/x && go test", "cd $X && go test", "cd \"$X\" && go test", "cd a b && go test", "cd -P a && go test", "cd a; cd ..; go test", "cd a/../.. && go test", "pushd / && go test", "pushd +1 && go test", "pushd && go test", "popd && go test", "cd a && cd ../.. && go test", "while cd a; do go test; done", "for i in 1 2; do cd a && go test && cd ..; done", "timeout 5 cd a && go test", "if cd a; then go test; fi; cd ..", "CDPATH=/ cd etc && go test", "cd a & cd .. && go test", "echo x | cd a && cd .. && go test",
			"true $(rm); go test", "set -k; go test", "set -a; go test", "set +e; go test", "set -o posix; go test", "set -o; go test", "set -- a; go test", "set -eo; go test", "set; go test", "exit $X; go test", "wait -p PATH; go test", "wait $X; go test", "[ -v x ] && go test", "test -R x; go test", "[ \"$x\" = y ] && go test", "[[ $x == y ]] && go test", "[[ -v x ]] && go test", "[[ a -eq 1 ]] && go test", "[[ a =~ b ]] && go test", "[[ x -lt y ]] || go test",
			"echo $X; go test", "echo *; go test", "echo ~; go test", "echo {a,b}; go test", "echo `pwd`; go test", "printf -v PATH x; go test", "printf '%n' PATH; go test", "printf '%5n' PATH; go test", "printf '%-5.3ln' PATH; go test", "printf \"$X\"; go test", "for x in '%n'; do printf \"$x\" PATH; done; go test", "for p in a; do echo $q; go test; done", "for p in a; do go test; done; echo $p", "echo ${PIPESTATUS[$x]}; go test", "echo x > y; go test", "echo $\"x\"; go test",
			"cat; go test", "cat x; go test", "go test; head x", "cat | go test", "go test | cat x", "go test | cat -", "go test | cat < x", "go test | cat <<< x", "go test | tee x", "go test | tee", "go test | sort -o x", "go test | sort -ox", "go test | sort --output=x", "go test | sort --o=x", "go test | sort -T x", "go test | sort --compress-program=rm", "go test | sort -S 1", "go test | sort -k", "go test | uniq a b", "go test | uniq x", "go test | grep -r x", "go test | grep -R x", "go test | grep x y", "go test | grep -f x", "go test | grep -fx", "go test | grep -e x y", "go test | grep x -r", "go test | grep -d recurse x", "go test | grep --include=x y", "go test | wc --files0-from=x", "go test | wc x", "go test | head $X", "go test | head -n", "go test | tail -f", "go test | tail -F x", "go test | cut -f1 x", "go test | nl x", "go test | /bin/cat", "go test | ./cat", "go test | sed s/a/b/", "go test | awk 1", "go test | xargs rm", "go test | cat -- x", "go test | grep -- x y",
			"f() { go test; }; f", "echo $((1)); go test", "((1)); go test", "let 1; go test", "for ((;;)); do go test; done", "go test ${x:=y}", "go test ${x=y}", "go test ${!x}", "go test ${!x@}", "go test ${x@Q}", "go test ${x@P}", "go test ${a[$i]}", "go test ${a[i]}", "go test ${x:1:2}", "go test ${x^^}", "go test ${x,}", "coproc go test", "select x in a; do go test; done", "for PATH in x; do go test; done", "for Path in x; do go test; done", "for http_proxy in x; do go test; done", "for proxy in x; do go test; done", "for x; do go test; done", "a=(1); go test", "a[0]=1; go test", "X=1; go test", "X=1", "PATH=x; go test", "export X=1; go test", "declare x; go test", "read x; go test", "source x; go test", ". x; go test", "trap go EXIT; go test", "alias go=rm; go test", "unset x; go test", "shopt -s extglob; go test", "hash -p x go; go test", "enable -n go; go test", "exec > /dev/null; go test", "umask 0; go test", "kill 1; go test",
			"true", "cd pkg", "echo", "", "# go test", "go test '", "go test )", "go test\x00", "go test\r\n", "go test \r",
		},
	}}.check(t)
}

// Exact rules, writes that are opened, and rules that spell what is not peeled.
func TestOpeningRules(t *testing.T) {
	for _, c := range []struct{ allow, command, want string }{
		{"Bash(git diff)", "git diff", "allow"}, {"Bash(git diff)", "git diff;", "deny"}, {"Bash(git diff)", "git  diff", "deny"}, {"Bash(git diff)", "cd a && git diff", "allow"}, {"Bash(git diff)", "git diff && git diff", "allow"}, {"Bash(git diff)", "git diff && git diff x", "deny"}, {"Bash(git diff)", "git diff\nid", "deny"}, {"Bash(git diff)", "git diff $X && true", "deny"}, {"Bash(git diff; id)", "git diff; id", "allow"}, {"Bash(f() { x; }; f)", "f() { x; }; f", "allow"},
		{"Bash(FOO=1 go test:*)", "FOO=1 go test ./...", "allow"}, {"Bash(FOO=1 go test:*)", "FOO='1' go test", "allow"}, {"Bash(FOO=1 go test:*)", "FOO=2 go test", "deny"}, {"Bash(FOO=1 go test:*)", "FOO=1 CI=1 go test", "allow"}, {"Bash(CI=1 go test:*)", "CI=1 go test", "allow"}, {"Bash(CI=1 go test:*)", "go test", "deny"}, {"Bash(time go test:*)", "time go test x", "allow"}, {"Bash(timeout:*)", "timeout 5 rm", "allow"}, {"Bash(timeout 5 go test)", "timeout 5 go test; true", "allow"},
		{"Bash(git commit -m \"x y\":*)", "git commit -m \"x y\" -a", "allow"}, {"Bash(git commit -m \"x y\":*)", "git  commit  -m  \"x y\"", "allow"}, {"Bash(git commit -m x y:*)", "git commit -m 'x y'", "deny"}, {"Bash(git commit -m *)", "git commit -m 'x y'", "allow"}, {"Bash(git commit *)", "git commit -m \"$X\"", "allow"}, {"Bash(git * --stat)", "git diff --stat", "allow"}, {"Bash(git * --stat)", "git $X --stat", "deny"}, {"Bash(git *)", "git diff && git log", "allow"}, {"Bash(git *)", "git diff && rm", "deny"},
		{"Bash(sudo git diff:*)", "sudo git diff", "allow"}, {"Bash(bash -c:*)", "bash -c 'rm x'", "allow"}, {"Bash(bash:*)", "bash -c \"$X\"", "deny"}, {"Bash(find:*)", "find $D -name x", "allow"}, {"Bash(find:*)", "find . -exec rm {} \\;", "allow"}, {"Bash(cd:*)", "cd / && cd $X", "allow"}, {"Bash(echo:*)", "echo $X $(echo y)", "allow"}, {"Bash(export:*)", "export X=1", "allow"}, {"Bash(export X=1)", "export X=1; true", "allow"}, {"Bash(X=1)", "X=1", "allow"},
	} {
		if got := (policy{Mode: "deny", Allow: []string{c.allow}}).verdict(t, c.command, ""); got != c.want {
			t.Errorf("%s: %q: %s, want %s", c.allow, c.command, got, c.want)
		}
	}
}

// A write is opened from wherever it may be done.
func TestOpeningWrites(t *testing.T) {
	cases{policy{Mode: "deny", Allow: append([]string{"Write(out/**)", "Bash(cd:*)"}, testAndDiff...)}, map[string][]string{
		"allow": {
			"go test > out/x", "go test &>> out/a/b", "cd out && go test > x", "cd out && cd a && go test > x", "cd out && { go test; } > x", "go test > out/x; cd out && git diff > y", "(cd out && go test > x)", "cd out && (cd .. && go test) && git diff > x", "for p in a; do go test > out/x; done", "cd out || exit; go test > x", "if cd out; then go test > x; fi", "cd / && go test && cd out && git diff",
		},
		"deny": {
			"go test > x", "cd out; go test > x", "cd out & go test > x", "(cd out); go test > x", "cd out | go test > x", "! cd out && go test > x", "cd out || go test > x", "cd $X && go test > out/x", "cd $X; go test > x", "cd out && cd .. && go test > x", "cd out && cd - && go test > x", "if cd out; then true; fi; go test > x", "while cd out; do go test > x; done", "cd out && go test > ../x", "go test > out/$X", "go test > out/*", "cd out && exit; go test > x", "if true; then cd out; fi && go test > x", "case a in a) cd out;; esac && go test > x", "cd out > x",
		},
	}}.check(t)
}

// What is written is found under every folder that the command names.
func TestClosingWrites(t *testing.T) {
	cases{policy{Mode: "ask", Allow: []string{"Bash"}, Deny: []string{"Write(pkg/.env)", "Write(secret*)"}}, map[string][]string{
		"deny": {
			"echo x > pkg/.env", "cd pkg && echo > .env", "cd pkg; echo > .env", "cd a; echo > ../pkg/.env", "cd a && cd ../pkg && echo > .env", "pushd pkg; echo >> .env", "builtin cd pkg; echo > .env", "(cd pkg; (echo > .env))", "{ echo; } > pkg/.env", "echo 2> pkg/.env", "echo &> pkg/.env", "echo >& pkg/.env", "echo >| pkg/.env", "echo <> pkg/.env", "> pkg/.env", "bash -c 'echo > pkg/.env'", "cd pkg && bash -c 'echo > .env'", "eval 'cd pkg'; echo > .env", "env -C pkg sh -c 'echo > .env'", "f() { echo > .env; }; cd pkg; f", "trap 'echo > .env' EXIT; cd pkg", "echo \"$(echo > pkg/.env)\"", "echo > secret", "echo > \"secret x\"", "echo > sec''ret", "cd /x; echo > secret", "exec 3> secret", "exec {fd}> secret", "echo {fd}> secret", "if a; then b; fi > secret", "a 3<secret 1>&3 2>/dev/stdout", "cat <<E > secret\nx\nE",
		},
		"ask": {
			"echo > $X", "echo > \"$X\"", "echo > a/$X", "cd $X; echo > x", "echo > *.x", "echo > ~/x", "echo >& $X", "cd -; echo > x", "f() { cd $X; }; f; echo > x",
		},
		"allow": {
			"echo > x", "echo > pkg/x", "echo > /dev/null", "echo >&2", "echo 2>&1", "cat < secret", "cat < pkg/.env", "echo pkg/.env", "cat <<E > x\nsecret\nE", "cd $X && go test", "echo > /tmp/x", "cd $X; echo > /tmp/x",
		},
	}}.check(t)
}

// Beside a scoped rule, what cannot be read is opened by an exact rule alone.
func TestUnreadable(t *testing.T) {
	cases{policy{Mode: "ask", Allow: []string{"Bash", "Bash(exact $X)"}, Deny: []string{"Bash(git push:*)"}, Ask: []string{"Bash(rm *)"}}, map[string][]string{
		"ask": {
			"$X", "\"$X\" a", "g?t push", "gi* push", "${X} a", "`x` a", "$(x) a", "sudo $X", "env $X", "env A=1 $X", "nohup \"$X\"", "timeout 5 $X", "xargs $X", "find . -exec $X \\;", "find . -exec {} \\;", "xargs env", "xargs sh", "xargs sh -c", "xargs -I{} {} a", "xargs -I{} sh -c '{}'", "a | while read l; do $l; done", "f() { \"$@\"; }; f git push", "g\"$X\" push", "[a-z]it push", "@(git) push", "~/x a", "exec $X", "builtin $X",
			"eval \"$X\"", "eval $X", "eval a $X", "bash -c \"$X\"", "bash -c \"a $X\"", "bash -c $X", "sh $X", "bash \"$X\"", "curl x | sh", "curl x | bash -s", "a | sudo sh", "bash <(curl x)", "source <(curl x)", ". $X", "source \"$X\"", "trap \"$X\" EXIT", "trap $X EXIT", "alias a=\"$X\"", "bash <<E\n$X\nE", "sh <<< $X", "base64 -d x | sh", "echo $X | sh", "printf \"$X\" | sh", "cat x | sh", "sh", "bash -i", "sudo -s", "su", "cat < x | sh", "bash < $X", "bash /dev/fd/9", "bash /dev/tcp/a/1", "exec 3<x; bash <&3", "a > >(sh)", "a | tee >(sh)", "yes 'git push' | sh", "rev <<< x | sh", "watch $X", "su -c \"$X\"", "flock f -c \"$X\"", "env -S \"$X\"", "env -S '$X'", "(sh)", "fish -c $X",
			"echo ${x@P}", "echo \"${x@P}\"", "test -v 'a[$(x)]'", "read 'a[$(x)]'", "unset 'a[`x`]'", "printf -v 'a[$(x)]' y", "let 'a[$(x)]=1'", "x='a[$(x)]'", "declare 'a[$(x)]=1'", "[[ -v 'a[$(x)]' ]]", "read x <<< 'a[$(x)]'", "for x in 'a[$(x)]'; do :; done", "a \"b[\\$(x)]\"", "a b\\[\\$\\(x\\)\\]", "a 'b[''$''(x)]'", "echo $(( '$(x)' ))", "echo \"${x:-'$(x)'}\"",
			"git $X", "git \"$X\"", "git $X push", "git pu$X", "sudo git $X", "git `x`", "git $(x)", "git *", "git ?ush", "A=$Y git $X", "xargs git", "echo push | xargs git", "xargs -n 1 git", "xargs -I{} git {}", "find . -exec git {} \\;", "bash -c 'git \"$@\"' _ push", "bash -c \"git \\$1\"", "f() { git \"$1\"; }", "for p in push; do git $p; done", "alias g=git", "mapfile -C git x", "rm$X", "rm $X", "r? x",
			"find $X", "find . $X", "env A=$X b", "sudo -u $X ls", "timeout $X ls", "nice -n$X ls",
			"PS4='$(x)'; set -x; a", "PROMPT_COMMAND=\"$X\" bash -i x", "BASH_ENV='$(x)' bash -c a", "env PS4='$(x)' bash -xc a", "export PS4='$(x)'", "for PS4 in '$(x)'; do set -x; done", "read PS4", "printf -v PS4 x", "set -k; a", "bash -k x", "hash -p /bin/rm a; a",
			"a (", "a\n)", "a '", "((a", "a <<E", "a;;", "if a", "a\rb", "((git push) )", "$((git push) )", "a #\\\ngit push", "a # b \\\ngit push",
		},
		"allow": {
			"xargs", "ls $X", "git log $X", "git st$X", "ls *", "echo $X", "a | b $X", "x=$(ls)", "ls {a,b}", "xargs ls", "find . -exec ls {} \\;", "for f in *; do ls $f; done", "eval ls", "bash -c 'ls $1' _ x", "ls '$(x)'", "ls '[a] $(x)'", "ls \"[b] `x`\"", "cat <<'E'\na[$(x)]\nE", "awk '{print $1}'", "git commit -m '[x] y'", "git log -- *.go", "exact $X",
		},
	}}.check(t)
}
