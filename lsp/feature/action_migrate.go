package feature

import (
	"iterion/ast/source"
	"iterion/grammar/migrate"
)

// migrations offers profile 2 at the first line of code of a file of profile 1,
// and anywhere in it to a client that asks for refactorings.
func migrations(at *spot) []action {
	if at.built == nil || at.built.AST.Profile >= 2 || len(at.built.AST.Decls) == 0 {
		return nil
	}
	first := at.built.AST.Decls[0].Root().Start + at.built.AST.Bases[0]
	if !at.narrow && !at.touches(at.lineAt(first)) {
		return nil
	}
	if _, err := at.migrated(); err != nil {
		return nil
	}
	return []action{{title: "Migrate the file to `dsl: 2`", make: at.migrated}}
}

// migrated is the change to profile 2. The error says what stands against it.
func (at *spot) migrated() (change, error) {
	after, err := migrate.Text(at.file.Key, at.file.Raw)
	if err != nil {
		return nil, err
	}
	return rewritten(at.file, source.Load("", after).Text), nil
}
