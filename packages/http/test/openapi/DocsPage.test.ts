import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { promisify } from "node:util"
import { brotliCompress, brotliDecompressSync, constants, gunzipSync } from "node:zlib"
import { negotiate } from "@frontdesk/http/openapi/CompressedAsset"
import { like, makeTestApi, type TestApi } from "../testApi.ts"

const brotli = promisify((bytes: Uint8Array, then: (error: Error | null, result: Buffer) => void) =>
  brotliCompress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }, then)
)

describe("the documentation page", () => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi("memory", { brotli })
  })
  afterAll(() => api.close())

  it("needs no key, is small, and loads its script from the server itself (D-HTTP-25)", async () => {
    const page = await api.ask("/docs")
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(page.text.length).toBeLessThan(2_000)
    expect(page.text.match(/(?:src|href)="[^"]*"/g)).toEqual([
      'href="data:,"',
      like(/^src="docs\/viewer\.js\?v=[0-9a-f]{32}"$/)
    ])
    expect(page.text).not.toContain("http")
    const script = await api.ask(`/${/docs\/viewer[^"]*/.exec(page.text)?.[0]}`)
    expect([script.status, script.headers.get("content-type")]).toEqual([200, "text/javascript"])
    expect(script.text).toContain("createApiReference")
  })

  it.each(["/docs", "/docs/"])("has links that lead to the script and the OpenAPI document from %s", async (path) => {
    const { text } = await api.ask(path)
    for (const attribute of ["src", "data-openapi"]) {
      const link = new RegExp(` ${attribute}="([^"]*)"`).exec(text)?.[1] ?? ""
      const { pathname, search } = new URL(link, `http://localhost${path}`)
      expect([attribute, (await api.ask(pathname + search)).status]).toEqual([attribute, 200])
    }
  })

  it("has links without ../ at /docs?x=/, because only a slash of the path adds a level", async () => {
    const page = await api.ask("/docs")
    expect(page.text).not.toContain("../")
    expect((await api.ask("/docs?x=/")).text).toBe(page.text)
    expect((await api.ask("/docs/?x=/")).text).toContain('data-openapi="../openapi.json"')
  })

  it("allows only scripts of the server, and none inside the page (D-HTTP-24)", async () => {
    const { headers, text } = await api.ask("/docs")
    const policy = headers.get("content-security-policy")
    expect(policy).toContain("default-src 'none'; script-src 'self'; ")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe-eval|http|\*/)
    expect(text).not.toMatch(/<script>|<script [^>]*>[^<]|\bon\w+=|javascript:/)
  })

  it("is absent when the documentation is turned off, and so is the OpenAPI document", async () => {
    const without = await makeTestApi("memory", { docs: false })
    expect((await without.ask("/docs")).status).toBe(404)
    expect((await without.ask("/docs/viewer.js")).status).toBe(404)
    expect((await without.ask("/openapi.json")).status).toBe(404)
    await without.close()
  })

  it.each([
    ["/openapi.json", "no-cache"],
    ["/docs", "no-cache"],
    ["/docs/viewer.js", "public, max-age=31536000, immutable"]
  ])(
    "%s is compressed in the coding that the client prefers, and not sent again when it is unchanged",
    async (path, caching) => {
      const plain = await api.ask(path)
      for (const [accepted, coding] of [
        ["gzip, deflate, br, zstd", "br"],
        ["gzip", "gzip"],
        ["br;q=0, gzip;q=0.5", "gzip"],
        ["identity", null]
      ] as const) {
        const headers = { "accept-encoding": accepted }
        const response = await api.send(new Request(`http://localhost${path}`, { headers }))
        const answered = response.headers
        expect([answered.get("content-encoding"), answered.get("vary")]).toEqual([coding, "accept-encoding"])
        const bytes = Buffer.from(await response.arrayBuffer())
        const text = coding === "br" ? brotliDecompressSync(bytes) : coding === "gzip" ? gunzipSync(bytes) : bytes
        expect(text.toString()).toBe(plain.text)
        if (coding !== null) expect(bytes.length).toBeLessThan(plain.text.length * 0.7)
        const again = await api.ask(path, {
          headers: { ...headers, "if-none-match": `"x", W/${answered.get("etag")}` }
        })
        expect([again.status, again.text, again.headers.get("cache-control")]).toEqual([304, "", caching])
      }
      const head = await api.ask(path, { method: "HEAD" })
      expect([head.status, head.headers.get("etag")]).toEqual([200, plain.headers.get("etag")])
    }
  )

  it("is compressed once, also for simultaneous requests", async () => {
    let compressions = 0
    const counting = await makeTestApi("memory", {
      brotli: (bytes) => {
        compressions += 1
        return brotli(bytes)
      }
    })
    const ask = () => counting.ask("/openapi.json", { headers: { "accept-encoding": "br" } })
    await Promise.all(Array.from({ length: 50 }, ask))
    expect(compressions).toBe(1)
    await counting.close()
  })
})

describe("the negotiated coding", () => {
  it.each([
    [undefined, "identity"],
    ["", "identity"],
    ["*", "br"],
    ["gzip;q=1.0, br;q=0.5", "gzip"],
    ["br;q=0, *;q=0.1", "gzip"],
    ["GZIP", "gzip"],
    ["identity;q=1, gzip;q=0.5", "identity"],
    ["gzip;q=x", "identity"],
    ["identity;q=0", "identity"]
  ])("for Accept-Encoding '%s' is %s", (accepted, coding) => {
    expect(negotiate(accepted, ["br", "gzip", "identity"])).toBe(coding)
  })
})

describe("every answer", () => {
  it.each([
    ["/api/v1/agents", "GET", 401],
    ["/nowhere", "GET", 404],
    ["/api/v1/agents", "OPTIONS", 204],
    ["/api/v1/agents", "DELETE", 405],
    ["/openapi.json", "GET", 200],
    ["/docs", "GET", 200]
  ])(
    "%s, %s, %i has the security headers against guessed types, frames and referrers",
    async (path, method, status) => {
      const api = await makeTestApi()
      const answer = await api.ask(path, { method })
      expect(answer.status).toBe(status)
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff")
      expect(answer.headers.get("x-frame-options")).toBe("DENY")
      expect(answer.headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'$/)
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer")
      await api.close()
    }
  )
})
