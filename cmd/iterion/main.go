// Command iterion checks, formats, explains and runs .bot files.
//
// One file holds one verb. What a verb decides is in the packages it calls;
// here are arguments, output and exit statuses.
package main

import "os"

func main() {
	os.Exit(execute(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}
