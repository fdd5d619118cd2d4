package toolrun

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// closedNets are the addresses under which clouds hand out the credentials of a
// machine. They are never connected to, whatever name leads there: a rule about
// a name cannot know. Other private addresses are the policy's.
var closedNets = []netip.Prefix{
	netip.MustParsePrefix("169.254.0.0/16"),     // link-local: AWS, Azure, Google, …
	netip.MustParsePrefix("fe80::/10"),          // link-local
	netip.MustParsePrefix("fd00:ec2::/32"),      // AWS
	netip.MustParsePrefix("fd20:ce::254/128"),   // Google
	netip.MustParsePrefix("100.100.100.200/32"), // Alibaba
	netip.MustParsePrefix("168.63.129.16/32"),   // Azure
	netip.MustParsePrefix("192.0.0.192/32"),     // Oracle
}

// embedded are the prefixes of addresses that stand for one of version 4, which
// is in their last 4 bytes.
var embedded = []netip.Prefix{
	netip.MustParsePrefix("64:ff9b::/96"), // NAT64
	netip.MustParsePrefix("::/96"),        // compatible, and mapped ones are unmapped anyway
}

func refuseAddress(ip netip.Addr) error {
	ip = ip.Unmap().WithZone("")
	for _, net := range embedded {
		if net.Contains(ip) {
			b := ip.As16()
			ip = netip.AddrFrom4([4]byte(b[12:]))
			break
		}
	}
	for _, net := range closedNets {
		if net.Contains(ip) {
			return fmt.Errorf("%s is an address under which machines get their credentials, and never connected to", ip)
		}
	}
	return nil
}

// refuseHost refuses a host that is written as such an address: behind a proxy
// nothing else would see it. A number in another form (2852039166, 0xa9.1) would
// be an address too, wherever it is resolved.
func refuseHost(host string) error {
	if ip, err := netip.ParseAddr(host); err == nil {
		return refuseAddress(ip)
	}
	host = strings.TrimSuffix(host, ".")
	if last := host[strings.LastIndexByte(host, '.')+1:]; last == "" || last[0] >= '0' && last[0] <= '9' {
		return errors.New("the host is no name: write an address in its usual form, as 192.0.2.1")
	}
	return nil
}

// newTransport connects with the proxies of an environment, and to no closed
// address. The address is looked at when it is connected to: a name may lead to
// another one each time it is asked for.
func newTransport(env []string) *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		return refuseAddress(at.Addr())
	}}
	proxy := proxies(env).ProxyFunc()
	return &http.Transport{
		Proxy:                  func(r *http.Request) (*url.URL, error) { return proxy(r.URL) },
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
	}
}

// proxies reads the proxies from an environment, never from our own.
func proxies(env []string) *httpproxy.Config {
	value := func(name string) (found string) {
		for _, v := range env {
			if key, text, _ := strings.Cut(v, "="); key == name || key == strings.ToLower(name) && found == "" {
				found = text
			}
		}
		return found
	}
	return &httpproxy.Config{HTTPProxy: value("HTTP_PROXY"), HTTPSProxy: value("HTTPS_PROXY"), NoProxy: value("NO_PROXY")}
}
