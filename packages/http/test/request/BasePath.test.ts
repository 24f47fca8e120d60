import { BasePath } from "@frontdesk/core/values/PublicUrl"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Caller, event, idOf, makeWorld, textOf, type World } from "../world.ts"

describe("an API that others reach under a path", () => {
  let world: World
  let caller: Caller
  beforeAll(async () => {
    world = await makeWorld(Layer.merge(MemoryStorage.layer, Layer.succeed(BasePath, "/voice")))
    caller = await world.caller()
  })
  afterAll(() => world.close())

  it.each(["/voice/api/v1/agents", "/voice/api/v1/agents/", "/api/v1/agents"])(
    "answers at %s (C-0-1, C-9-1, D-HTTP-26)",
    async (path) => {
      expect((await caller.get(path)).status).toBe(200)
    }
  )

  it.each(["/voices/api/v1/agents", "/voice/voice/api/v1/agents", "/voice", "/voiceapi/v1/agents"])(
    "does not answer at %s",
    async (path) => {
      expect((await caller.get(path)).status).toBe(404)
    }
  )

  it("gives an ics_url under the path, which answers with and without it", async () => {
    const created = await caller.post("/voice/api/v1/calendar/events/create", event)
    const { json } = await caller.get(`/voice/api/v1/calendar/events/${idOf(created)}`)
    const url = textOf(json["ics_url"])
    expect(url).toMatch(/^\/voice\/api\/v1\/calendar\/events\/.*\/ics\?signature=/)
    for (const path of [url, url.slice("/voice".length)]) {
      const calendar = await world.ask(path)
      expect([calendar.status, calendar.headers.get("content-type")]).toEqual([
        200,
        expect.stringContaining("text/calendar")
      ])
    }
  })

  it("names the successor of a deprecated path under the path", async () => {
    const { headers } = await caller.post("/voice/api/webhooks/create", {})
    expect(headers.get("link")).toBe('</voice/api/v1/webhooks/create>; rel="successor-version"')
  })

  it("names the path in its description", async () => {
    expect((await world.ask("/voice/openapi.json")).json["servers"]).toEqual([{ url: "/voice" }])
  })

  it("counts a repeat with an Idempotency-Key as the same request with and without the path", async () => {
    const key = { "idempotency-key": "same" }
    const first = await caller.post("/api/v1/calendar/events/create", event, key)
    const again = await caller.post("/voice/api/v1/calendar/events/create", event, key)
    expect([again.status, again.headers.get("idempotent-replayed"), again.text]).toEqual([201, "true", first.text])
  })
})
