package process

import "syscall"

// guard runs the command as its child. When this process dies, however it
// dies, the guard gets SIGUSR1 and kills its whole group: the signal alone would
// reach the child but not the child's children. SIGTERM interrupts the wait and
// is left for the child to answer.
// What the shell would say about a killed child is left out: the child's own
// error channel stays.
const guard = `trap 'kill -KILL 0' USR1; trap : TERM; "$@" & p=$!; exec 2>/dev/null
while :; do wait "$p"; s=$?; kill -0 "$p" 2>/dev/null || exit "$s"; done`

func guarded(args []string) []string {
	return append([]string{"bash", "-c", guard, "guard"}, args...)
}

func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGUSR1}
}
