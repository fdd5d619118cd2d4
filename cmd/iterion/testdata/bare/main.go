// Command bare is what a program of cobra alone costs to start; iterion is
// measured beside it.
package main

import "github.com/spf13/cobra"

func main() {
	root := &cobra.Command{Use: "bare", Version: "1"}
	root.AddCommand(&cobra.Command{Use: "fmt", Run: func(*cobra.Command, []string) {}})
	root.Execute()
}
