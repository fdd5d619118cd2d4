package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"iterion/backends/scripted"
	"iterion/backends/scripted/serve"
)

type modelServeOptions struct {
	script, listen, log string
	json                bool
}

func newModelServe(std streams) *cobra.Command {
	var opt modelServeOptions
	cmd := &cobra.Command{
		Use:   "serve --script FILE",
		Short: "Answer as Anthropic and OpenAI do, from a script",
		Long: `Answer as Anthropic (Messages) and OpenAI (Responses, Chat Completions) do, from a
script, so that an agent program runs without a network and a key. The address
is the first line on stdout; an interrupt ends it.

A program chooses a list of turns by its base URL, ADDRESS/node/NAME; a request
also by ?node=NAME or the header X-Iterion-Node. One that names none has the
script's only node, else the entry "default". Requests without tools, such as
those for a title, have the first turn of the entry "aux", if there is one. Tools
are called by the names in the script, so these are the program's own.

The turn is the one behind those that a request's conversation shows. A turn
with an error is answered as the provider answers it, once before the next turn.`,
		Example: `  iterion model serve --script turns.yaml
  ANTHROPIC_BASE_URL=http://127.0.0.1:PORT/node/review ANTHROPIC_API_KEY=none claude -p "Review this"`,
		Args: takes(0, 0, ""),
	}
	flags := cmd.Flags()
	flags.StringVar(&opt.script, "script", "", "the turns that models give, YAML or JSON")
	flags.StringVar(&opt.listen, "listen", "127.0.0.1:0", "the address; port 0 is a free one")
	flags.StringVar(&opt.log, "log", "", "append each request to this file, a JSON object a line, without keys")
	flags.BoolVar(&opt.json, "json", false, "print the address as a JSON object")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return modelServe(cmd, std, opt) }
	return cmd
}

func modelServe(cmd *cobra.Command, std streams, opt modelServeOptions) error {
	if opt.script == "" {
		return misuse(cmd, "--script is missing")
	}
	script, err := scripted.Load(opt.script)
	if err != nil {
		return failf("--script: %s", err)
	}
	var log io.Writer
	if opt.log != "" {
		file, err := os.OpenFile(opt.log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return failf("--log %s: %s", opt.log, reason(err))
		}
		defer file.Close() // each line is written at once
		log = file
	}
	handler, err := serve.New(script.Nodes, log)
	if err != nil {
		return failf("--script: %s: %s", opt.script, err)
	}
	listener, err := listenOn(cmd, std, opt.listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	return serveUntilSignal(cmd, std, listener, handler, opt.json)
}

func serveUntilSignal(cmd *cobra.Command, std streams, listener net.Listener, handler *serve.Handler, asJSON bool) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process, whatever it is at
	if err := announce(std.out, "http://"+listener.Addr().String(), asJSON); err != nil {
		return err
	}
	if err := serve.Serve(ctx, listener, handler); err != nil {
		return &status{exitFailed, "the server ended: " + reason(err)}
	}
	return nil
}

// listenOn opens the address. One that others can reach is taken only when it
// is written out.
func listenOn(cmd *cobra.Command, std streams, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, misuse(cmd, "--listen takes HOST:PORT, not %q", address)
	}
	if host == "" {
		return nil, misuse(cmd, "--listen %q leaves the host out, which is every address of this machine; write 127.0.0.1%s, or 0.0.0.0%[2]s if you mean it", address, address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, failf("--listen %s: %s; port 0 takes a free one", address, reason(err))
	}
	if at, ok := l.Addr().(*net.TCPAddr); !ok || !at.IP.IsLoopback() {
		fmt.Fprintf(std.err, "iterion: model: serve: warning: %s is open to other machines; it asks for no key, and the log holds what they send\n", l.Addr())
	}
	return l, nil
}

func announce(out io.Writer, url string, asJSON bool) error {
	line := "listening on " + url
	if asJSON {
		text, err := json.Marshal(map[string]string{"url": url})
		if err != nil {
			return err
		}
		line = string(text)
	}
	if _, err := fmt.Fprintln(out, line); err != nil {
		return failf("stdout cannot be written: %s", reason(err))
	}
	return nil
}
