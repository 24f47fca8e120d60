import { BasePath } from "@frontdesk/core/values/BasePath"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Caller, event, idOf, makeTestApi, textOf, type TestApi } from "../testApi.ts"

describe("an API below a base path", () => {
  let api: TestApi
  let caller: Caller
  beforeAll(async () => {
    api = await makeTestApi(Layer.merge(MemoryStorage.layer, Layer.succeed(BasePath, "/voice")))
    caller = await api.caller()
  })
  afterAll(() => api.close())

  it.each(["/voice/api/v1/agents", "/voice/api/v1/agents/", "/api/v1/agents"])(
    "%s is a path of the API (C-0-1, C-9-1, D-HTTP-26)",
    async (path) => {
      expect((await caller.get(path)).status).toBe(200)
    }
  )

  it.each(["/voices/api/v1/agents", "/voice/voice/api/v1/agents", "/voice", "/voiceapi/v1/agents"])(
    "%s is not a path of the API",
    async (path) => {
      expect((await caller.get(path)).status).toBe(404)
    }
  )

  it("ics_url begins with the base path, and works with and without it", async () => {
    const created = await caller.post("/voice/api/v1/calendar/events/create", event)
    const { json } = await caller.get(`/voice/api/v1/calendar/events/${idOf(created)}`)
    const url = textOf(json["ics_url"])
    expect(url).toMatch(/^\/voice\/api\/v1\/calendar\/events\/.*\/ics\?signature=/)
    for (const path of [url, url.slice("/voice".length)]) {
      const calendar = await api.ask(path)
      expect([calendar.status, calendar.headers.get("content-type")]).toEqual([
        200,
        expect.stringContaining("text/calendar")
      ])
    }
  })

  it("the Link header of a deprecated path begins with the base path", async () => {
    const { headers } = await caller.post("/voice/api/webhooks/create", {})
    expect(headers.get("link")).toBe('</voice/api/v1/webhooks/create>; rel="successor-version"')
  })

  it("servers of the OpenAPI document has the base path", async () => {
    expect((await api.ask("/voice/openapi.json")).json["servers"]).toEqual([{ url: "/voice" }])
  })

  it("a request with and without the base path is the same request for an Idempotency-Key", async () => {
    const key = { "idempotency-key": "same" }
    const first = await caller.post("/api/v1/calendar/events/create", event, key)
    const again = await caller.post("/voice/api/v1/calendar/events/create", event, key)
    expect([again.status, again.headers.get("idempotent-replayed"), again.text]).toEqual([201, "true", first.text])
  })
})
