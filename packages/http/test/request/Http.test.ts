import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Caller, event, makeTestApi, refusal, storages, type TestApi, idOf, textOf } from "../testApi.ts"

const events = "/api/v1/calendar/events"

describe.each(storages)("requests over HTTP, on %s", (storage) => {
  let api: TestApi
  let full: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage, { corsOrigins: ["https://app.example.com"] })
    full = await api.caller()
    await full.post(`${events}/create`, event)
  })
  afterAll(() => api.close())

  describe("API keys (C-5-1, C-5-9, C-5-10, D-KEY-1)", () => {
    it.each([
      ["without an Authorization header", undefined],
      ["with another scheme", "Basic Zm9vOmJhcg=="],
      ["with a scheme and no key", "Bearer "],
      ["with a key and no scheme", "fd_test_123"]
    ])(
      "a request %s gets 401 authentication_required with WWW-Authenticate: Bearer (C-7-13)",
      async (_name, authorization) => {
        const answer = await api.ask(
          "/api/v1/agents",
          authorization === undefined ? {} : { headers: { authorization } }
        )
        expect(answer.status).toBe(401)
        expect(answer.json).toEqual(refusal("authentication_required"))
        expect(answer.headers.get("www-authenticate")).toBe("Bearer")
      }
    )

    it("an unknown key gets 401 invalid_key, also on calendar endpoints (C-7-14, D-KEY-1)", async () => {
      const answer = await api.ask(events, { headers: { authorization: "Bearer fd_test_unknown" } })
      expect(answer.status).toBe(401)
      expect(answer.json).toEqual(refusal("invalid_key"))
      expect(answer.headers.get("www-authenticate")).toBe("Bearer")
    })

    it("the scheme Bearer is accepted in upper and lower case", async () => {
      const answer = await api.ask("/api/v1/agents", { headers: { authorization: `bearer ${full.key}` } })
      expect(answer.status).toBe(200)
    })
  })

  describe("bodies", () => {
    const post = (body: unknown, headers?: Record<string, string>) => full.post(`${events}/1/cancel`, body, headers)

    it.each([
      ["that does not parse", "{"],
      ["that is an array", "[]"],
      ["that is a text", '"x"'],
      ["that is null", "null"],
      ["of white space", "  "],
      ["in invalid UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      ["that is nested too deeply", `{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`]
    ])("a body %s gets 400 invalid_json (C-7-2, D-ERR-2)", async (_name, body) => {
      const answer = await post(body)
      expect(answer.status).toBe(400)
      expect(answer.json).toEqual(refusal("invalid_json"))
    })

    it("brackets inside strings do not count as levels of nesting", async () => {
      expect((await post({ reason: `"${"[{".repeat(900)}\\` })).status).toBe(200)
    })

    it("an empty body is accepted where every field is optional (D-HTTP-5)", async () => {
      expect((await post(undefined)).status).toBe(200)
      expect((await post("", { "content-type": "text/plain" })).status).toBe(200)
    })

    it("an empty body gets missing_parameter with all required fields where a field is required", async () => {
      const answer = await full.post(`${events}/create`)
      expect(answer.json).toEqual(refusal("missing_parameter", "title", "start_time", "end_time"))
    })

    it.each([["text/plain"], ["application/x-www-form-urlencoded"], ["application/json; charset=latin1"], [""]])(
      "the Content-Type '%s' gets 415 unsupported_media_type (D-ERR-10)",
      async (type) => {
        const answer = await post("{}", { "content-type": type })
        expect(answer.status).toBe(415)
        expect(answer.json).toEqual(refusal("unsupported_media_type"))
      }
    )

    it("a compressed body gets unsupported_media_type, and the coding identity is accepted", async () => {
      const answer = await post("{}", { "content-encoding": "gzip" })
      expect(answer.json).toEqual(refusal("unsupported_media_type"))
      expect((await post("{}", { "content-encoding": "identity" })).status).toBe(200)
    })

    it.each([["application/json; charset=utf-8"], ['application/json;charset="UTF-8"'], ["Application/JSON"]])(
      "the Content-Type %s is accepted as JSON (C-0-2)",
      async (type) => {
        expect((await post("{}", { "content-type": type })).status).toBe(200)
      }
    )

    it("a body of 1 MiB is accepted, and one byte more gets 413 payload_too_large (D-ERR-9)", async () => {
      const filled = (size: number) => `{"unknown":"${"x".repeat(size - 14)}"}`
      expect((await post(filled(1_048_576))).status).toBe(200)
      const answer = await post(filled(1_048_577))
      expect(answer.status).toBe(413)
      expect(answer.json).toEqual(refusal("payload_too_large"))
    })

    it("an error about an id states which numbers are ids, in a path, a query and a body (D-HTTP-8)", async () => {
      const message = "Expected a whole number from 1 to 9007199254740991"
      for (const id of ["1e300", "0", "-1", "1.5", "99999999999999999"]) {
        expect((await full.get(`/api/v1/contacts/${id}`)).json["details"]).toMatchObject([{ message }])
        expect((await full.get(`/api/v1/calls?agent_id=${id}`)).json["details"]).toMatchObject([{ message }])
      }
      for (const team_id of [1e300, 0, -1, 1.5])
        expect((await full.post("/api/v1/contacts/create", { team_id })).json["details"]).toMatchObject([{ message }])
    })

    it("unknown fields of a body are ignored (D-HTTP-2)", async () => {
      expect((await post({ what: 1, __proto__: null })).status).toBe(200)
    })

    it("details names the path of each invalid field once", async () => {
      const answer = await full.post("/api/v1/contacts/create", {
        email: "no",
        company: 1,
        phone_numbers: [{ phone_number: "+12025550111" }, { phone_number: "1" }]
      })
      expect(answer.status).toBe(400)
      expect(answer.json).toEqual(refusal("validation_error", "email", "company", "phone_numbers[1].phone_number"))
    })

    it("an error does not repeat the invalid value (D-ERR-19)", async () => {
      const answer = await full.post("/api/v1/contacts/create", { email: "secret-value" })
      expect(answer.text).not.toContain("secret-value")
    })

    it("null means absent in a PUT, and in a PATCH gets validation_error for a field that cannot be null", async () => {
      const id = idOf(await full.post("/api/v1/contacts/create", { first_name: "Jo" }))
      expect((await full.put(`/api/v1/contacts/${id}/update`, { status: null, tags: null })).status).toBe(200)
      expect((await full.patch(`/api/v1/contacts/${id}/update`, { first_name: null })).status).toBe(200)
      const answer = await full.patch(`/api/v1/contacts/${id}/update`, { status: null })
      expect(answer.json).toEqual(refusal("validation_error", "status"))
    })
  })

  describe("paths and queries", () => {
    it.each([["0"], ["01"], ["-1"], ["1.0"], ["abc"], ["12345678901234567"], ["1e3"], ["%20"]])(
      "the id %s gets 400 invalid_parameter",
      async (id) => {
        const answer = await full.get(`/api/v1/contacts/${id}`)
        expect(answer.status).toBe(400)
        expect(answer.json).toEqual(refusal("invalid_parameter", "contact_id"))
      }
    )

    it("a well-formed id of no record gets 404, however large it is", async () => {
      for (const id of ["999", "9007199254740993", "9999999999999999"]) {
        expect((await full.get(`/api/v1/contacts/${id}`)).json).toEqual(refusal("not_found"))
        expect((await full.get(`${events}/${id}`)).json).toEqual(refusal("not_found"))
      }
    })

    it("a calendar event is found by its database id and by its UUID in upper or lower case", async () => {
      const { uuid } = (await full.get(`${events}/1`)).json
      expect((await full.get(`${events}/${textOf(uuid).toUpperCase()}`)).json["id"]).toBe(1)
      expect((await full.get(`${events}/not-an-id`)).json).toEqual(refusal("invalid_parameter", "event_id"))
    })

    it("a repeated query key gets 400 invalid_parameter, also one that the endpoint does not have", async () => {
      for (const query of ["page=1&page=1", "status=scheduled&status=confirmed", "x=1&x=2"]) {
        const answer = await full.get(`${events}?${query}`)
        expect(answer.status).toBe(400)
        expect(answer.json).toEqual(refusal("invalid_parameter", query.slice(0, query.indexOf("="))))
      }
    })

    it("an unknown query key is ignored", async () => {
      expect((await full.get(`${events}?what=1`)).status).toBe(200)
    })

    it.each([
      ["page=0"],
      ["page=x"],
      ["limit=0"],
      ["limit=-1"],
      ["limit=1.5"],
      ["status=open"],
      ["start_date=2026-02-30"]
    ])("the query %s gets 400 invalid_parameter", async (query) => {
      const answer = await full.get(`${events}?${query}`)
      expect(answer.status).toBe(400)
      expect(answer.json).toEqual(refusal("invalid_parameter", query.slice(0, query.indexOf("="))))
    })

    it("a path with a trailing slash is the same path, without a redirect (D-HTTP-10)", async () => {
      for (const path of ["/api/v1/agents", "/api/v1/agents/", `${events}/1`, `${events}/1/`, "/openapi.json/"]) {
        expect((await full.get(path)).status).toBe(200)
      }
      expect((await full.get("/api/v1/context-variables//")).status).toBe(404)
    })

    it("only a question mark ends a path (D-HTTP-10)", async () => {
      for (const path of ["/api/v1/agents;x=1", "/api/v1/agents;", "/api/v1/context-variables/;/"]) {
        expect((await full.get(path)).json).toEqual(refusal("not_found"))
      }
      expect((await full.get(`${events}/1;x`)).json).toEqual(refusal("invalid_parameter", "event_id"))
    })

    it("an unknown path gets 404 not_found (D-ERR-6)", async () => {
      for (const path of ["/", "/api", "/api/v1", "/api/v2/agents", "/API/V1/agents", "/api/v1/agents/1/2", "/%zz"]) {
        const answer = await full.get(path)
        expect(answer.status).toBe(404)
        expect(answer.json).toEqual(refusal("not_found"))
      }
    })
  })

  describe("methods", () => {
    it("a method that the path does not have gets 405 with Allow (D-ERR-7)", async () => {
      const answer = await full.ask("/api/v1/contacts/1/update", { method: "POST" })
      expect(answer.status).toBe(405)
      expect(answer.json).toEqual(refusal("method_not_allowed"))
      expect(answer.headers.get("allow")).toBe("PUT, PATCH, OPTIONS")
    })

    it("HEAD returns the status and headers of GET without a body (D-HTTP-6)", async () => {
      const get = await full.get(`${events}/1`)
      const head = await full.ask(`${events}/1`, { method: "HEAD" })
      expect([head.status, head.text]).toEqual([200, ""])
      expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"))
      expect((await full.ask("/api/v1/contacts/create", { method: "HEAD" })).status).toBe(405)
      expect((await api.ask(`${events}/1`, { method: "HEAD" })).status).toBe(401)
    })

    it("OPTIONS returns 204 with Allow and needs no key", async () => {
      const answer = await api.ask("/api/v1/calls", { method: "OPTIONS" })
      expect([answer.status, answer.text]).toEqual([204, ""])
      expect(answer.headers.get("allow")).toBe("POST, GET, HEAD, OPTIONS")
      expect((await api.ask("/nowhere", { method: "OPTIONS" })).status).toBe(404)
    })
  })

  describe("CORS", () => {
    const origin = "https://app.example.com"

    it("a configured origin may read answers, errors included", async () => {
      const answer = await full.get("/api/v1/agents", { origin })
      expect(answer.headers.get("access-control-allow-origin")).toBe(origin)
      expect(answer.headers.get("vary")).toBe("origin")
      expect(
        (await api.ask("/api/v1/agents", { headers: { origin } })).headers.get("access-control-allow-origin")
      ).toBe(origin)
    })

    it("a preflight request needs no key", async () => {
      const answer = await api.ask("/api/v1/calls", {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST" }
      })
      expect(answer.status).toBe(204)
      expect(answer.headers.get("access-control-allow-methods")).toBe("POST, GET, HEAD, OPTIONS")
      expect(answer.headers.get("access-control-allow-headers")).toContain("authorization")
    })

    it.each([["https://app.example.com.evil.test"], ["http://app.example.com"], ["https://evil.test"], ["null"]])(
      "the origin %s, which is not configured, gets no CORS headers",
      async (other) => {
        const answer = await full.get("/api/v1/agents", { origin: other })
        expect(answer.headers.get("access-control-allow-origin")).toBeNull()
        expect(answer.headers.get("vary")).toBe("origin")
      }
    )

    it("no origin gets CORS headers when none is configured (D-HTTP-7)", async () => {
      const plain = await makeTestApi(storage)
      const answer = await plain.ask("/api/v1/agents", { headers: { origin } })
      expect(answer.headers.get("access-control-allow-origin")).toBeNull()
      expect(answer.headers.get("vary")).toBeNull()
      await plain.close()
    })
  })

  describe("X-Request-Id (D-HTTP-11)", () => {
    it("is returned as sent when it is 1 to 128 characters of A-Z a-z 0-9 . _ -", async () => {
      for (const id of ["a", "A.b_c-9", "x".repeat(128)]) {
        expect((await full.get("/api/v1/agents", { "x-request-id": id })).headers.get("x-request-id")).toBe(id)
      }
    })

    it("is generated otherwise, and is on every answer", async () => {
      const seen = new Set<string | null>()
      for (const id of ["", "x".repeat(129), "a b", "a/b", "ü"]) {
        seen.add((await full.get("/api/v1/agents", { "x-request-id": encodeURI(id) })).headers.get("x-request-id"))
      }
      for (const path of ["/nowhere", "/openapi.json", `${events}/abc`]) {
        seen.add((await full.get(path)).headers.get("x-request-id"))
      }
      seen.add((await api.ask("/api/v1/agents")).headers.get("x-request-id"))
      seen.add((await api.ask("/api/v1/agents", { method: "OPTIONS" })).headers.get("x-request-id"))
      expect(seen.size).toBe(10)
      expect([...seen].every((id) => /^[A-Za-z0-9._-]{1,128}$/.test(id ?? ""))).toBe(true)
    })
  })

  describe("pages (C-8-1, D-PAGE-1, D-PAGE-2)", () => {
    it("a list begins with page 1 and limit 20, and a page after the last one is empty", async () => {
      const pages = await api.caller()
      for (let index = 0; index < 3; index++) await pages.post("/api/v1/contacts/create", {})
      expect((await pages.get("/api/v1/contacts")).json).toMatchObject({ count: 3, page: 1, limit: 20, pages: 1 })
      expect((await pages.get("/api/v1/contacts?page=2&limit=2")).json).toMatchObject({
        count: 3,
        page: 2,
        limit: 2,
        pages: 2,
        contacts: [{}]
      })
      const past = await pages.get("/api/v1/contacts?page=9&limit=2")
      expect([past.status, past.json["contacts"]]).toEqual([200, []])
    })

    it("a limit above 100 counts as 100, which the answer shows (D-PAGE-1)", async () => {
      for (const limit of [500, 2_000_000_000, Number.MAX_SAFE_INTEGER]) {
        expect((await full.get(`${events}?limit=${limit}`)).json["limit"]).toBe(100)
      }
      const furthest = `${events}?limit=100&page=${Number.MAX_SAFE_INTEGER}`
      expect((await full.get(furthest)).json).toMatchObject({ page: Number.MAX_SAFE_INTEGER, events: [] })
    })

    it("an empty list has 0 pages (D-PAGE-2)", async () => {
      expect((await full.get("/api/v1/calls")).json).toEqual({
        count: 0,
        page: 1,
        limit: 20,
        pages: 0,
        calls: [],
        truncated: []
      })
    })
  })

  it("an answer of the API has Cache-Control: no-store (D-HTTP-22)", async () => {
    expect((await full.get(`${events}/1`)).headers.get("cache-control")).toBe("no-store")
  })
})
