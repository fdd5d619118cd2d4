package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"iterion/lsp"
)

func newLSP(std streams) *cobra.Command {
	listen := ""
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor: findings, completion, names, formatting",
		Long: `Speak the Language Server Protocol over the standard input and output, for an
editor that starts this command. It checks what is open, unsaved texts too, and
runs nothing. With --listen editors connect to an address of this machine.

Exit status: 0 after the editor said goodbye, and when --listen was stopped with
Ctrl-C; 1 when the editor left without.`,
		Example: `  iterion lsp
  iterion lsp --listen 127.0.0.1:7998`,
		Args: cobra.NoArgs,
	}
	cmd.Flags().StringVar(&listen, "listen", "", "an address of this machine, such as 127.0.0.1:7998, in place of the standard streams")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		opt := lsp.Options{Version: buildOf().Version}
		if cmd.Flags().Changed("listen") {
			return listenLSP(cmd, std, listen, opt)
		}
		switch err := lsp.Serve(cmd.Context(), stdio{std.in, std.out}, opt); {
		case errors.Is(err, lsp.ErrLeft):
			return ended(exitFailed)
		case err != nil:
			return &status{exitFailed, err.Error()}
		}
		return nil
	}
	return cmd
}

// stdio is the standard streams as one connection.
type stdio struct {
	io.Reader
	io.Writer
}

// Close ends a read that waits for the client.
func (s stdio) Close() error {
	if f, ok := s.Reader.(*os.File); ok {
		return f.Close()
	}
	return nil
}

// listenLSP serves every client that connects, until the process is stopped.
func listenLSP(cmd *cobra.Command, std streams, address string, opt lsp.Options) error {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return misuse(cmd, "--listen takes an address of this machine, such as 127.0.0.1:7998, not %q: a client reads files here", address)
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return failf("--listen %s: %s", address, err)
	}
	fmt.Fprintf(std.err, "iterion: lsp: listening on %s\n", listener.Addr())
	defer context.AfterFunc(ctx, func() { listener.Close() })()
	for {
		conn, err := listener.Accept()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return failf("--listen %s: %s", address, err)
		}
		go func() {
			if err := lsp.Serve(ctx, conn, opt); err != nil {
				fmt.Fprintf(std.err, "iterion: lsp: %s: %s\n", conn.RemoteAddr(), visible(err.Error()))
			}
		}()
	}
}
