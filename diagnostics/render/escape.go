package render

import "iterion/diagnostics/shown"

// escape makes a text safe to print on one line of a terminal.
func escape(s string) string { return shown.Line(s) }
