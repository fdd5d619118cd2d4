// Package treesitter holds the tests of the tree-sitter grammar, and writes
// what of it is made from the property table.
package treesitter
