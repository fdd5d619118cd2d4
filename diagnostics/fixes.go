package diagnostics

import "slices"

// The fixes.
const (
	UnquoteRef            = "unquote-ref"
	DropRepeatedEnumValue = "drop-repeated-enum-value"
	DropShadowedPreset    = "drop-shadowed-preset-line"
	DropToolPermission    = "drop-tool-permission"
	DropElseKeyword       = "drop-else-keyword"
	DropDirective         = "drop-directive"
	PinProfile1           = "pin-profile-1"
	MigrateProfile2       = "migrate-profile-2"
	NearestWord           = "nearest-word"
	RenameName            = "rename-name"
	RenameTool            = "rename-tool"
	RawTreeNoiseRef       = "raw-tree-noise-ref"
	UnquoteEnv            = "unquote-env"
	AnchorPattern         = "anchor-pattern"
	DropDuplicateEdge     = "drop-duplicate-edge"
	DropInertProperty     = "drop-inert-property"
	DropProjectRoot       = "drop-project-root"
	SessionPersist        = "session-persist"
	SecretAsFile          = "secret-as-file"
	RaiseEngineFloor      = "raise-engine-floor"
)

// FixRow is what the table knows about one fix.
type FixRow struct {
	ID    string
	Kind  FixKind
	Codes []Code // the findings that may carry it
	Title string // what it does, for a menu
}

var fixRows = []FixRow{
	{UnquoteRef, Safe, []Code{"C137"}, "Remove the quotes around the reference"},
	{DropRepeatedEnumValue, Safe, []Code{"C127"}, "Delete the repeated value"},
	{DropShadowedPreset, Safe, []Code{"C166"}, "Delete the line that has no effect"},
	{DropToolPermission, Safe, []Code{"C112"}, "Delete the line that nothing reads"},
	{DropElseKeyword, Safe, []Code{"C015"}, "Delete `else`"},
	{DropDirective, Safe, []Code{"E042"}, "Delete the directive"},
	{PinProfile1, Safe, []Code{"C144"}, "Write `dsl: 1` to keep the reading"},
	{MigrateProfile2, Command, []Code{"C144"}, "Migrate the file to profile 2"},
	{NearestWord, Suggested, []Code{"C027", "C102", "C103", "C110", "C131", "C133", "C134", "C139", "C142", "C156", "C170", "C175", "C184"},
		"Write the listed word that is near"},
	{RenameName, Suggested, []Code{"C001", "C002", "C003", "C008", "C029", "C033", "C190", "C193", "C195", "E012"},
		"Write the known name that is near"},
	{RenameTool, Suggested, []Code{"C135"}, "Write the tool's name"},
	{RawTreeNoiseRef, Suggested, []Code{"C157"}, "Insert the list of paths unquoted"},
	{UnquoteEnv, Suggested, []Code{"C158"}, "Remove the quotes around the list of paths"},
	{AnchorPattern, Suggested, []Code{"C163"}, "Anchor the pattern at both ends"},
	{DropDuplicateEdge, Suggested, []Code{"C249"}, "Delete the second edge"},
	{DropInertProperty, Suggested, []Code{"C132", "C174", "C185", "C266"}, "Delete the property"},
	{DropProjectRoot, Suggested, []Code{"C171"}, "Delete `project_root:`"},
	{SessionPersist, Suggested, []Code{"C268"}, "Set `session: persist`"},
	{SecretAsFile, Suggested, []Code{"C211"}, "Hand the secret over as a file"},
	{RaiseEngineFloor, Suggested, []Code{"C252"}, "Ask for the release that the sources need"},
}

// LookupFix returns the row of a fix.
func LookupFix(id string) (FixRow, bool) {
	i := slices.IndexFunc(fixRows, func(r FixRow) bool { return r.ID == id })
	if i < 0 {
		return FixRow{}, false
	}
	return fixRows[i], true
}

// Fixes returns every row. The slice is the caller's.
func Fixes() []FixRow { return slices.Clone(fixRows) }

// Renames returns the fix that a near word is to a finding of this code, ""
// for none.
func Renames(code Code) string {
	for _, id := range []string{NearestWord, RenameName} {
		if row, _ := LookupFix(id); slices.Contains(row.Codes, code) {
			return id
		}
	}
	return ""
}
