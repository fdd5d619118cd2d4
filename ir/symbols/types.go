package symbols

import (
	"strings"

	"iterion/ir"
)

// Types returns what a symbol is made by: a node's output schema, or its input
// where it has no output, the group of an instance, the schemas of what is
// published under a name, the schema of a port. Most symbols have none.
func (x *Index) Types(s Symbol) (types []Symbol) {
	switch s.Kind {
	case Node:
		if node := x.names.part(s); node != nil {
			if types = schemas(x.names.schema(node.Common.Output)); types == nil {
				types = schemas(x.names.schema(node.Common.Input))
			}
		}
	case Instance:
		if group, ok := x.names.uses[s.Name]; ok {
			types = []Symbol{{Kind: Group, Name: group}}
		}
	case Artifact:
		types = schemas(x.names.publishers[s.Name]...)
	case Port:
		if k := x.result.Scope.Contracts[s.Owner]; k != nil {
			for i := range k.Outputs {
				if p := &k.Outputs[i]; p.Name == s.Name {
					types = schemas(x.names.schemas[strings.TrimRight(p.Type, "[]")])
				}
			}
		}
	}
	return types
}

// schemas are the symbols of the schemas that are there.
func schemas(list ...*ir.Schema) (found []Symbol) {
	for _, s := range list {
		if s != nil {
			found = append(found, Symbol{Kind: Schema, Name: s.Name})
		}
	}
	return found
}
