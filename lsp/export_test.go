package lsp

// Methods lists the names of the requests that the server answers.
func Methods() (names []string) {
	for _, m := range methods() {
		names = append(names, m.name)
	}
	return names
}
