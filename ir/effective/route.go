package effective

import "iterion/ir"

// Route is one way in which a node asks a model.
type Route struct {
	Fallback string // its name; "" for the node's own route
	Backend         // as the route names it; a fallback may name none
	Model    ir.Opt[ir.Text]
	Provider ir.Opt[ir.Text]
}

// Of says whose route it is, for messages.
func (r *Route) Of(n *ir.Node) string {
	if r.Fallback == "" {
		return "`" + n.Name + "`"
	}
	return "the fallback `" + r.Fallback + "` of `" + n.Name + "`"
}

// Routes lists the routes of a node: its own, then the fallbacks that ask a
// model. One with an action asks none, and one whose action could not be
// understood is not among them either. w may be nil.
func Routes(w *ir.Workflow, n *ir.Node) []Route { return AppendRoutes(nil, w, n) }

// AppendRoutes adds the routes of a node to a list.
func AppendRoutes(list []Route, w *ir.Workflow, n *ir.Node) []Route {
	switch {
	case n.LLM != nil:
		list = append(list, Route{"", BackendOf(w, n), n.LLM.Model, n.LLM.Provider})
		for i := range n.LLM.Fallbacks {
			if f := &n.LLM.Fallbacks[i]; !f.Action.Set() {
				r := Route{Fallback: f.Name, Model: f.Model, Provider: f.Provider}
				if f.Backend.Set() {
					r.Backend = RouteBackend(w, n, f)
				}
				list = append(list, r)
			}
		}
		return list
	case n.Router != nil && n.Router.EffectiveMode() == ir.ModeLLM:
		list = append(list, Route{"", BackendOf(w, n), n.Router.Model, n.Router.Provider})
	}
	return list
}
