package toolrun

import (
	"context"

	"iterion/runtime/backend"
)

func readFile(context.Context, *Runner, args) backend.CallResult      { return failed("not yet") }
func writeFile(context.Context, *Runner, args) backend.CallResult     { return failed("not yet") }
func fileEdit(context.Context, *Runner, args) backend.CallResult      { return failed("not yet") }
func globFiles(context.Context, *Runner, args) backend.CallResult     { return failed("not yet") }
func grep(context.Context, *Runner, args) backend.CallResult          { return failed("not yet") }
func workspaceGrep(context.Context, *Runner, args) backend.CallResult { return failed("not yet") }
