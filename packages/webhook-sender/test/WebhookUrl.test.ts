import { describe, expect, it } from "@effect/vitest"
import { urlForm } from "@frontdesk/core/webhook/WebhookInput"
import { isPublicAddress } from "../src/AddressGuard.ts"
import * as WebhookUrl from "../src/WebhookUrl.ts"
import * as Result from "effect/Result"
import * as fc from "fast-check"

const reasonOf = (url: string, allowInsecure = false) =>
  Result.match(WebhookUrl.check(url, { allowInsecure }), { onFailure: (reason) => reason, onSuccess: () => "allowed" })

describe("WebhookUrl.check", () => {
  it("a public https URL is allowed", () => {
    expect(reasonOf("https://example.com/hooks/1?token=a%20b")).toBe("allowed")
    expect(reasonOf("HTTPS://Example.COM:8443")).toBe("allowed")
    expect(reasonOf("https://8.8.8.8/")).toBe("allowed")
    expect(reasonOf("https://[2606:4700:4700::1111]/")).toBe("allowed")
    expect(reasonOf("https://bücher.example/")).toBe("allowed")
    expect(reasonOf("https://example.com./@me?to=a@b")).toBe("allowed")
    expect(reasonOf("https://svc.example.com/")).toBe("allowed")
    expect(reasonOf("https://mylocal.example-svc.com/")).toBe("allowed")
  })

  it("ports below 1024 are rejected, except 80, 443 and those that are allowed (D-SEND-3)", () => {
    const reasonAt = (port: number, privilegedPorts: ReadonlyArray<number> = [], allowInsecure = false) =>
      Result.match(WebhookUrl.check(`https://example.com:${port}/`, { allowInsecure, privilegedPorts }), {
        onFailure: (reason) => reason,
        onSuccess: () => "allowed"
      })
    const rejection = "must not have a port below 1024 other than 80 and 443"
    expect([80, 443, 1024, 65_535].map((port) => reasonAt(port))).toEqual(Array.from({ length: 4 }, () => "allowed"))
    expect([0, 22, 25, 53, 1023].map((port) => reasonAt(port))).toEqual(Array.from({ length: 5 }, () => rejection))
    expect([reasonAt(25, [25]), reasonAt(22, [25]), reasonAt(22, [], true)]).toEqual(["allowed", rejection, "allowed"])
  })

  it.each([
    ["", "must be an absolute URL"],
    ["example.com/hook", "must be an absolute URL"],
    ["//example.com", "must be an absolute URL"],
    ["https:example.com", "must be an absolute URL"],
    ["https:///example.com", "must be an absolute URL"],
    ["https:\\\\example.com", "must be an absolute URL"],
    ["https://exa mple.com", "must be an absolute URL"],
    [" https://example.com", "must be an absolute URL"],
    ["https://example.com/\r\nX-Evil: 1", "must be an absolute URL"],
    ["https://example.com/\0", "must be an absolute URL"],
    ["https://example.com/\ud83d", "must be an absolute URL"],
    ["https://", "must be an absolute URL"],
    ["https://256.0.0.1", "must be an absolute URL"],
    ["https://localhost..", "must be an absolute URL"],
    ["https://127.0.0.1../", "must be an absolute URL"],
    ["https://a。．example.com", "must be an absolute URL"],
    ["https://.example.com", "must be an absolute URL"],
    ["ftp://example.com", "must begin with https://"],
    ["file:///etc/passwd", "must begin with https://"],
    ["http://example.com", "must begin with https://"],
    ["https://user@example.com", "must not contain credentials"],
    ["https://:secret@example.com", "must not contain credentials"],
    ["https://@example.com", "must not contain credentials"],
    ["https://:@example.com", "must not contain credentials"],
    ["https://example.com/#part", "must not have a fragment"],
    ["https://example.com/#", "must not have a fragment"],
    [`https://example.com/${"a".repeat(2_029)}`, "must have at most 2048 characters"]
  ])("%s is rejected: it %s", (url, reason) => {
    expect(reasonOf(url)).toBe(reason)
  })

  it("a URL of 2,048 characters is allowed (D-HOOK-6)", () => {
    expect(reasonOf(`https://example.com/${"a".repeat(2_028)}`)).toBe("allowed")
  })

  it.each([
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "2130706433",
    "127.0.0.1.",
    "１２７.０.０.１",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "0",
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "169.254.169.254",
    "168.63.129.16",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:10.0.0.1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::10.0.0.1]",
    "[64:ff9b:1::1]",
    "[100::1]",
    "[2001::1]",
    "[2001:db8::1]",
    "[2002:7f00:1::]",
    "[3fff::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.localhost",
    "printer.local",
    "metadata.google.internal",
    "internal",
    "home.arpa",
    "router.home.arpa",
    "intranet",
    "intranet.",
    "ip6-localhost",
    "localhost.localdomain",
    "db.localdomain.",
    "api.default.svc",
    "api.default.svc.cluster.local"
  ])("https://%s is rejected, and allowed with allowInsecure", (host) => {
    expect(reasonOf(`https://${host}/`)).toBe("must not name a private address")
    expect(reasonOf(`https://${host}:8443/`)).toBe("must not name a private address")
    expect(reasonOf(`http://${host}/`, true)).toBe("allowed")
  })

  // Most of the addresses are next to a range that is not public.
  it.each([
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2000::1",
    "2001:200::1",
    "2001:db7:ffff::1",
    "2001:db9::1",
    "2003::1",
    "3ffe::1",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808"
  ])("%s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each(["", "example.com", "127.1", "1.2.3.4.5", "fe80::1%eth0", "2606:4700::1%eth0", "[2606:4700::1]"])(
    "a text that is not a plain address is not public: '%s'",
    (text) => {
      expect(isPublicAddress(text)).toBe(false)
    }
  )
})

describe("laws of WebhookUrl.check and AddressGuard.isPublicAddress", () => {
  it("law: every allowed URL has the form that core requires and the OpenAPI document states", () => {
    const part = fc.constantFrom("https:", "HTTP:", "//", "/", "example", ".com", "[2606::1]", ":8443", "?", "a=b")
    const odd = fc.constantFrom(
      "@",
      "#",
      "\\",
      " ",
      "\t",
      "\u0085",
      "\u00a0",
      "é",
      "%20",
      "\0",
      "'",
      '"',
      "<",
      "::",
      "😀"
    )
    let allowed = 0
    fc.assert(
      fc.property(
        fc.constantFrom("https://example.com", "http://a.example", ""),
        fc.array(fc.oneof(part, odd), { maxLength: 6 }).map((parts) => parts.join("")),
        fc.boolean(),
        (start, rest, allowInsecure) => {
          if (reasonOf(start + rest, allowInsecure) !== "allowed") return
          allowed += 1
          expect(start + rest).toMatch(urlForm)
        }
      ),
      { numRuns: 2_000 }
    )
    expect(allowed).toBeGreaterThan(100)
  })

  const v4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
  const near = fc
    .constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224)
    .chain((a) => v4.map(([, ...rest]) => [a, ...rest]))

  it("every notation of an IPv4 address has the same result as the address", () => {
    fc.assert(
      fc.property(fc.oneof(v4, near), ([a = 0, b = 0, c = 0, d = 0]) => {
        const number = ((a * 256 + b) * 256 + c) * 256 + d
        const expected = isPublicAddress(`${a}.${b}.${c}.${d}`) ? "allowed" : "must not name a private address"
        const hex = (value: number) => value.toString(16)
        const forms = [
          `${a}.${b}.${c}.${d}`,
          `${a}.${b}.${c * 256 + d}`,
          `${a}.${(b * 256 + c) * 256 + d}`,
          `${number}`,
          `0x${hex(number)}`,
          `0${number.toString(8)}`,
          `0x${hex(a)}.0${b.toString(8)}.${c}.${d}`,
          `${a}.${b}.${c}.${d}`.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
          `[::ffff:${a}.${b}.${c}.${d}]`,
          `[::ffff:${hex(a * 256 + b)}:${hex(c * 256 + d)}]`,
          `[64:ff9b::${hex(a * 256 + b)}:${hex(c * 256 + d)}]`
        ]
        for (const form of forms) expect([form, reasonOf(`https://${form}/`)]).toEqual([form, expected])
      })
    )
  })

  it("no IPv6 address outside 2000::/3 is public, unless it embeds an IPv4 address", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const [first = ""] = new URL(`https://[${address}]`).hostname.slice(1).split(":")
        const plain = new URL(`https://[${address}]`).hostname
        if (plain.startsWith("[::ffff:") || plain.startsWith("[64:ff9b::")) return
        const group = parseInt(first || "0", 16)
        if (group < 0x2000 || group > 0x3fff) expect(isPublicAddress(address)).toBe(false)
      })
    )
  })

  it("check and isPublicAddress never throw", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.ipV6(),
          fc.string().map((text) => `https://${text}`)
        ),
        (text) => {
          WebhookUrl.check(text, { allowInsecure: false })
          isPublicAddress(text)
        }
      )
    )
  })
})
