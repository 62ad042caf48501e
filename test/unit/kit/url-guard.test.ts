import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guardUrl, isPublicHost, urlRefusalText } from "#kit/url-guard.ts";

function refusal(text: string, base?: string): string {
  const result = guardUrl(text, base === undefined ? undefined : new URL(base));
  return result.ok ? "ok" : result.error;
}

describe("guardUrl", () => {
  test.each([
    "https://ok.example.org/",
    "http://ok.example.org:8080/a?b=c#d",
    "https://93.184.216.34/",
    "https://[2606:4700:4700::1111]/",
    "https://bücher.example/",
    "https://ok.example.org./",
    "https://internal.example.org/",
    "https://172.32.0.1/",
    "https://100.128.0.1/",
    "https://@ok.example.org/",
  ])("allows %s", (url) => {
    expect(refusal(url)).toBe("ok");
  });

  // B77, B78
  test.each([
    ["loopback", "http://127.0.0.1/"],
    ["loopback, decimal", "http://2130706433/"],
    ["loopback, octal", "http://0177.0.0.1/"],
    ["loopback, hex", "http://0x7f.1/"],
    ["loopback, one hex number", "http://0x7f000001/"],
    ["loopback, shortened", "http://127.1/"],
    ["loopback, full-width", "http://１２７.０.０.１/"],
    ["loopback, ideographic stops", "http://127。0。0。1/"],
    ["loopback, percent-encoded", "http://%31%32%37.0.0.1/"],
    ["loopback with a dot behind", "http://127.0.0.1./"],
    ["unspecified", "http://0.0.0.0/"],
    ["unspecified, short", "http://0/"],
    ["private 10", "http://10.1.2.3/"],
    ["private 172", "http://172.16.0.1/"],
    ["private 172, end", "http://172.31.255.255/"],
    ["private 192", "http://192.168.1.1/"],
    ["carrier-grade NAT", "http://100.64.0.1/"],
    ["link-local", "http://169.254.169.254/latest/meta-data"],
    ["Alibaba metadata", "http://100.100.100.200/"],
    ["Azure wire server", "http://168.63.129.16/"],
    ["multicast", "http://224.0.0.1/"],
    ["broadcast", "http://255.255.255.255/"],
    ["documentation", "http://192.0.2.1/"],
    ["IPv6 loopback", "http://[::1]/"],
    ["IPv6 unspecified", "http://[::]/"],
    ["IPv4-mapped", "http://[::ffff:7f00:1]/admin"],
    ["IPv4-mapped, dotted", "http://[::ffff:127.0.0.1]/"],
    ["IPv4-compatible", "http://[::7f00:1]/"],
    ["NAT64", "http://[64:ff9b::7f00:1]/"],
    ["6to4", "http://[2002:7f00:1::]/"],
    ["Teredo", "http://[2001:0:7f00:1::]/"],
    ["unique local", "http://[fd00:ec2::254]/"],
    ["IPv6 link-local", "http://[fe80::1]/"],
    ["IPv6 multicast", "http://[ff02::1]/"],
    ["localhost", "http://localhost/"],
    ["localhost, capitals and a dot", "http://LOCALHOST./"],
    ["below localhost", "http://a.localhost/"],
    [".local", "http://printer.local/"],
    [".internal", "http://metadata.google.internal/"],
    [".home.arpa", "http://nas.home.arpa/"],
    ["a bare name", "http://router/"],
    ["a name that spells an address", "http://127.0.0.1.nip.io/"],
  ])("refuses %s", (_name, url) => {
    expect(refusal(url)).toBe("private");
  });

  test.each([
    ["ftp://ok.example.org/", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["data:text/html,x", "scheme"],
    ["https://ann:pw@ok.example.org/", "credentials"],
    ["https://ann@ok.example.org/", "credentials"],
    ["https://ok.example.org:22/", "port"],
    ["https://ok.example.org:6379/", "port"],
    ["not a url", "malformed"],
    ["", "malformed"],
    ["https://", "malformed"],
    [`https://ok.example.org/${"a".repeat(9000)}`, "malformed"],
    ["http://[::1", "malformed"],
    ["http://256.256.256.256/", "malformed"],
  ])("refuses %s as %s", (url, reason) => {
    expect(refusal(url)).toBe(reason);
  });

  // B78
  test("checks a redirect's target against the page it came from", () => {
    const base = "https://ok.example.org/a/b";
    expect(refusal("//169.254.169.254/", base)).toBe("private");
    expect(refusal("http://[::ffff:7f00:1]/admin", base)).toBe("private");
    const relative = guardUrl("../c?d=1", new URL(base));
    expect(relative.ok && relative.value.href).toBe("https://ok.example.org/c?d=1");
  });

  test("returns the host that will be asked, whatever the text looks like", () => {
    for (const text of [
      "https://ok.example.org\\@127.0.0.1/",
      "https://ok.example.org/@127.0.0.1/",
      "https://ok.example.org#@127.0.0.1/",
      "ht\ntps://ok.exa\tmple.org/",
    ]) {
      const result = guardUrl(text);
      expect(result.ok && result.value.hostname, text).toBe("ok.example.org");
    }
  });

  test("refuses every private IPv4 address in every notation", () => {
    const octet = fc.nat(255);
    const address = fc.oneof(
      fc.tuple(fc.constant(10), octet, octet, octet),
      fc.tuple(fc.constant(127), octet, octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
      fc.tuple(fc.integer({ min: 224, max: 255 }), octet, octet, octet),
    );
    fc.assert(
      fc.property(address, ([a, b, c, d]) => {
        const number = ((a * 256 + b) * 256 + c) * 256 + d;
        const mapped = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        for (const host of [
          `${a}.${b}.${c}.${d}`,
          `${number}`,
          `0x${number.toString(16)}`,
          `0${a.toString(8)}.${b}.${c * 256 + d}`,
          `[::ffff:${mapped}]`,
          `[64:ff9b::${mapped}]`,
          `[2002:${mapped}::1]`,
        ]) {
          expect(refusal(`http://${host}/`), host).toBe("private");
        }
      }),
    );
  });

  test("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        refusal(text);
        refusal(`http://${text}/`);
        isPublicHost(text);
      }),
    );
  });
});

test("each refusal has a sentence", () => {
  for (const reason of ["malformed", "scheme", "credentials", "port", "private"] as const) {
    expect(urlRefusalText(reason)).toMatch(/^[A-Z].*\.$/);
  }
});
