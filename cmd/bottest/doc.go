// Package bottest runs tests of bots: a file of tests stands beside a program
// and says what its models, tools and people answer, and what must come of it.
// Each test has a workspace, a store and an environment of its own.
package bottest
