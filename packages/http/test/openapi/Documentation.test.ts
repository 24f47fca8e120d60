import { permissions } from "@frontdesk/core/access/Permission"
import { WebhookEventName } from "@frontdesk/core/webhook-event/WebhookEventName"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { promisify } from "node:util"
import { brotliCompress, brotliDecompressSync, constants, gunzipSync } from "node:zlib"
import { allCodes, statusOf } from "@frontdesk/http/ErrorCode"
import { negotiate } from "@frontdesk/http/openapi/CompressedAsset"
import { type TestAnswer, like, makeTestApi, type TestApi } from "../testApi.ts"

const brotli = promisify((bytes: Uint8Array, then: (error: Error | null, result: Buffer) => void) =>
  brotliCompress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }, then)
)

const Spec = Schema.Struct({
  openapi: Schema.String,
  paths: Schema.Record(
    Schema.String,
    Schema.Record(
      Schema.String,
      Schema.Struct({
        operationId: Schema.String,
        deprecated: Schema.optionalKey(Schema.Boolean),
        parameters: Schema.Array(
          Schema.Struct({
            name: Schema.String,
            in: Schema.String,
            required: Schema.Boolean,
            schema: Schema.Record(Schema.String, Schema.Unknown)
          })
        ),
        requestBody: Schema.optionalKey(Schema.Struct({ required: Schema.Boolean })),
        responses: Schema.Record(Schema.String, Schema.Unknown),
        security: Schema.optionalKey(Schema.Unknown)
      })
    )
  ),
  webhooks: Schema.Record(
    Schema.String,
    Schema.Struct({
      post: Schema.Struct({
        parameters: Schema.Array(Schema.Struct({ name: Schema.String })),
        requestBody: Schema.Struct({
          content: Schema.Struct({
            "application/json": Schema.Struct({ schema: Schema.Struct({ $ref: Schema.String }) })
          })
        })
      })
    })
  ),
  components: Schema.Struct({
    schemas: Schema.Record(Schema.String, Schema.Unknown),
    securitySchemes: Schema.Unknown
  }),
  security: Schema.Unknown
})

describe("the OpenAPI document", () => {
  let api: TestApi
  let answer: TestAnswer
  let spec: typeof Spec.Type
  beforeAll(async () => {
    api = await makeTestApi()
    answer = await api.ask("/openapi.json")
    spec = Schema.decodeUnknownSync(Spec)(answer.json)
  })
  afterAll(() => api.close())

  const operations = () =>
    Object.entries(spec.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation }))
    )

  it("needs no key and is OpenAPI 3.1", () => {
    expect([answer.status, answer.headers.get("content-type"), spec.openapi]).toEqual([
      200,
      "application/json",
      "3.1.0"
    ])
  })

  it("has every operation once, and the aliases of the path that creates webhooks", () => {
    const ids = operations().map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !/\.\d$/.test(id)).toSorted()).toEqual(Object.keys(permissions).toSorted())
    expect(spec.paths["/api/webhooks/create"]?.["post"]?.deprecated).toBe(true)
    expect(spec.paths["/api/v1/webhooks/create"]?.["post"]?.deprecated).toBe(false)
  })

  it("describes whole numbers in paths and queries as integers with their bounds", () => {
    const schema = (path: string, name: string) =>
      spec.paths[path]?.["get"]?.parameters.find((parameter) => parameter.name === name)?.schema
    expect(schema("/api/v1/contacts/{contact_id}", "contact_id")).toEqual({ type: "integer", exclusiveMinimum: 0 })
    expect(schema("/api/v1/calendar/events", "page")).toMatchObject({ type: "integer", minimum: 1 })
    expect(schema("/api/v1/calendar/availability", "duration")).toEqual({ type: "integer", minimum: 1, maximum: 180 })
    expect(spec.components.schemas["CalendarDate"]).toMatchObject({ type: "string", format: "date" })
  })

  it("has the pattern of variable names, the names of webhook events, and a grace time that may be null", () => {
    expect(spec.components.schemas["VariableName"]).toMatchObject({ pattern: "^[a-z0-9_]{1,64}$" })
    const items = `"enum":${JSON.stringify(WebhookEventName.literals)}`
    for (const name of ["CreateWebhook", "PutWebhook", "PatchWebhook"]) {
      expect(JSON.stringify(spec.components.schemas[name])).toContain(items)
    }
    expect(JSON.stringify(spec.components.schemas["WebhookSecretRotation"])).toContain('{"type":"null"}')
  })

  it("has component names without suffixes, and a component for every reference", () => {
    const names = Object.keys(spec.components.schemas)
    expect(names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name) || /Encoded/.test(name))).toEqual([])
    const references = new Set(answer.text.match(/(?<=#\/components\/schemas\/)\w+/g))
    expect([...references].filter((name) => !names.includes(name))).toEqual([])
  })

  it("allows unknown keys in bodies", () => {
    expect(answer.text).not.toContain('"additionalProperties":false')
  })

  it("requires a key for every operation except the one with signed links", () => {
    expect(spec.security).toEqual([{ bearer: [] }])
    expect(spec.components.securitySchemes).toEqual({
      bearer: { type: "http", scheme: "bearer", description: "An API key of the account" }
    })
    const open = operations().filter(({ security }) => security !== undefined)
    expect(open.map(({ operationId, security }) => [operationId, security])).toEqual([
      ["events.ics", [{ bearer: [] }, {}]]
    ])
  })

  it("has the errors of every operation, with the same body", () => {
    // 408, 413, 417 and 431 can occur before the operation is known.
    const expected = {
      GET: ["400", "401", "403", "405", "408", "413", "417", "429", "431", "500", "503"],
      POST: ["409", "415", "422"]
    }
    for (const { method, responses } of operations()) {
      const statuses = Object.keys(responses)
      expect(statuses).toEqual(expect.arrayContaining(expected.GET))
      for (const [status, answer] of Object.entries(responses)) {
        if (Number(status) >= 400) expect(JSON.stringify(answer)).toContain('"#/components/schemas/Error"')
      }
      if (method === "post") expect(statuses).toEqual(expect.arrayContaining(expected.POST))
    }
    expect(spec.components.schemas["Error"]).toMatchObject({
      properties: { error: { type: "string" }, message: { type: "string" }, details: { type: "array" } },
      required: ["error", "message"]
    })
    expect(answer.text).not.toContain("_tag")
  })

  it("lists the codes of every error, each of which has the status of its answer", () => {
    const Codes = Schema.Struct({
      content: Schema.Struct({
        "application/json": Schema.Struct({
          schema: Schema.Struct({
            allOf: Schema.Tuple([
              Schema.Unknown,
              Schema.Struct({
                properties: Schema.Struct({ error: Schema.Struct({ enum: Schema.Array(Schema.Literals(allCodes)) }) })
              })
            ])
          })
        })
      })
    })
    // The server answers these before it knows the operation, with codes that otherwise have another status.
    const early = new Set(["408", "413", "417", "431"])
    for (const { responses } of operations()) {
      for (const [status, response] of Object.entries(responses)) {
        if (Number(status) < 400) continue
        const { content } = Schema.decodeUnknownSync(Codes)(response)
        const codes = content["application/json"].schema.allOf[1].properties.error.enum
        expect(codes.length).toBeGreaterThan(0)
        if (!early.has(status)) expect(codes.map(statusOf)).toEqual(codes.map(() => Number(status)))
      }
    }
  })

  it("describes the payload and the headers of each webhook event", () => {
    expect(Object.keys(spec.webhooks)).toEqual([...WebhookEventName.literals])
    for (const [name, { post }] of Object.entries(spec.webhooks)) {
      expect(post.parameters.map((header) => header.name)).toContain("X-Service-Signature")
      const reference = post.requestBody.content["application/json"].schema.$ref
      expect(spec.components.schemas[reference.replace("#/components/schemas/", "")]).toMatchObject({
        properties: { event_type: { const: name }, timestamp: { format: "date-time" } }
      })
    }
  })

  it("allows any key where any key is stored, and times without an offset", () => {
    expect(spec.components.schemas["CreateContact"]).toMatchObject({
      properties: { custom_context: { anyOf: [{ type: "object", additionalProperties: true }, { type: "null" }] } }
    })
    const time = Schema.Struct({
      properties: Schema.Struct({ start_time: Schema.Struct({ type: Schema.String, pattern: Schema.String }) })
    })
    const { pattern } = Schema.decodeUnknownSync(time)(spec.components.schemas["CalendarEventCreate"]).properties
      .start_time
    for (const text of ["2026-03-02T10:00", "2026-03-02T10:00:00.5+02:00", "2026-03-02T10:00:00Z"]) {
      expect(text).toMatch(new RegExp(pattern))
    }
    expect("2026-03-02 10:00").not.toMatch(new RegExp(pattern))
  })

  it("has no rules in an allOf, and no equal members of an anyOf", () => {
    const problems: Array<unknown> = []
    const visit = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return
      const { allOf, anyOf }: { readonly allOf?: unknown; readonly anyOf?: unknown } = value
      if (allOf !== undefined && !JSON.stringify(allOf).includes("schemas/Error")) problems.push(value)
      if (Array.isArray(anyOf) && new Set(anyOf.map((member) => JSON.stringify(member))).size !== anyOf.length) {
        problems.push(value)
      }
      Object.values(value).forEach(visit)
    }
    visit(answer.json)
    expect(problems).toEqual([])
  })

  it("has an Idempotency-Key for every POST, and requires a body if the body has a required field", () => {
    for (const { method, operationId, parameters, requestBody } of operations()) {
      expect(parameters.some(({ name }) => name === "Idempotency-Key")).toBe(method === "post")
      if (requestBody === undefined) continue
      const optional =
        /^(contacts|variables\.(put|patch)|events\.(put|patch|cancel)|webhooks\.(patch|rotateSecret))\b/.test(
          operationId
        )
      expect([operationId, requestBody.required]).toEqual([operationId, !optional])
    }
  })
})

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
