package diagnostics_test

import (
	"slices"
	"testing"

	"iterion/ast/source"
	"iterion/diagnostics"
)

func TestCompare(t *testing.T) {
	at := func(file string, line, column int) diagnostics.Range {
		return diagnostics.Range{File: file, Start: source.Position{Line: line, Column: column}}
	}
	want := []diagnostics.Diagnostic{
		{Code: "C002", Range: at("a.bot", 1, 9)},
		{Code: "C001", Range: at("a.bot", 2, 3)},
		{Code: "C001", Range: at("a.bot", 2, 10)},
		{Code: "C001", Range: at("a.bot", 10, 1)},
		{Code: "C002", Range: at("a.bot", 10, 1)},
		{Code: "C002", Range: at("a.bot", 10, 1), NodeID: "a"},
		{Code: "C002", Range: at("a.bot", 10, 1), NodeID: "a", EdgeID: "a->b"},
		{Code: "C002", Range: at("a.bot", 10, 1), NodeID: "a", EdgeID: "a->b", Message: "m"},
		{Code: "C001", Range: at("b.bot", 1, 1)},
		{Code: "C001"},
		{Code: "C006", Range: diagnostics.Range{File: "a.bot"}},
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, diagnostics.Compare)
	for i := range want {
		if diagnostics.Compare(got[i], want[i]) != 0 {
			t.Errorf("place %d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		diagnostics.Error.String():       "error",
		diagnostics.Warning.String():     "warning",
		diagnostics.Info.String():        "info",
		diagnostics.Severity(0).String(): "unknown",
		diagnostics.Parse.String():       "parse",
		diagnostics.Compile.String():     "compile",
		diagnostics.Bundle.String():      "bundle",
		diagnostics.Safe.String():        "safe",
		diagnostics.Suggested.String():   "suggested",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
