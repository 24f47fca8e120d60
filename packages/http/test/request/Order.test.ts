import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type RequestOptions, type Caller, makeTestApi, storages, type TestApi } from "../testApi.ts"

// Refuses every request, so that a test can tell checks before the rate limit from checks after it.
const exhausted = Layer.succeed(
  RateLimiter,
  RateLimiter.of({
    consume: () =>
      Effect.succeed({ allowed: false, limit: 1, window: Duration.seconds(60), remaining: 0, resetMillis: 1_500 })
  })
)

describe.each(storages)("the order of checks (D-HTTP-1), on %s", (storage) => {
  let api: TestApi
  let limited: TestApi
  const callers = new Map<string, Caller>()
  beforeAll(async () => {
    api = await makeTestApi(storage)
    limited = await makeTestApi(storage, {}, exhausted)
    callers.set("full", await api.caller())
    callers.set("none", await api.caller({ permissions: [] }))
    callers.set("limited", await limited.caller())
    callers.set("limited without permission", await limited.caller({ permissions: [] }))
  })
  afterAll(async () => {
    await api.close()
    await limited.close()
  })

  const events = "/api/v1/calendar/events/create"
  const large = JSON.stringify({ title: "x".repeat(1_048_577) })
  const text = { "content-type": "text/plain" }
  const badKey = { authorization: "Bearer wrong" }
  const noKey = { authorization: "" }

  // Each row breaks at least two rules. The name states which rule is checked first.
  const rows: ReadonlyArray<
    readonly [string, string, string, RequestOptions & { readonly as?: string }, number, string]
  > = [
    ["the route before the method", "/nowhere", "POST", {}, 404, "not_found"],
    ["the route before the key", "/nowhere", "GET", { headers: noKey }, 404, "not_found"],
    ["the method before the key", events, "PATCH", { headers: noKey }, 405, "method_not_allowed"],
    [
      "that a key is present before the body",
      events,
      "POST",
      { headers: noKey, body: "{" },
      401,
      "authentication_required"
    ],
    ["that the key is valid before the permission", events, "POST", { headers: badKey, body: "{" }, 401, "invalid_key"],
    [
      "the permission before the size of the body",
      events,
      "POST",
      { as: "none", body: large },
      403,
      "permission_denied"
    ],
    [
      "the permission before the media type",
      events,
      "POST",
      { as: "none", body: "x", headers: text },
      403,
      "permission_denied"
    ],
    ["the permission before the JSON", events, "POST", { as: "none", body: "{" }, 403, "permission_denied"],
    ["the permission before the fields", events, "POST", { as: "none", body: {} }, 403, "permission_denied"],
    [
      "the permission before the values in the path",
      "/api/v1/contacts/abc",
      "GET",
      { as: "none" },
      403,
      "permission_denied"
    ],
    [
      "the permission before the rate limit",
      events,
      "POST",
      { as: "limited without permission" },
      403,
      "permission_denied"
    ],
    ["the rate limit before the size of the body", events, "POST", { as: "limited", body: large }, 429, "rate_limited"],
    ["the rate limit before the JSON", events, "POST", { as: "limited", body: "{" }, 429, "rate_limited"],
    ["the rate limit before the references", "/api/v1/contacts/1", "GET", { as: "limited" }, 429, "rate_limited"],
    [
      "the size of the body before the media type",
      events,
      "POST",
      { body: large, headers: text },
      413,
      "payload_too_large"
    ],
    ["the media type before the JSON", events, "POST", { body: "{", headers: text }, 415, "unsupported_media_type"],
    [
      "the JSON before the values in the path",
      "/api/v1/contacts/abc/update",
      "PUT",
      { body: "{" },
      400,
      "invalid_json"
    ],
    [
      "the values in the path before the fields",
      "/api/v1/contacts/abc/update",
      "PUT",
      { body: { email: 1 } },
      400,
      "invalid_parameter"
    ],
    [
      "the fields before the references",
      "/api/v1/contacts/99/update",
      "PUT",
      { body: { email: 1 } },
      400,
      "validation_error"
    ],
    [
      "missing fields before invalid fields",
      events,
      "POST",
      { body: { title: 1, start_time: "2026-03-09T09:00:00Z" } },
      400,
      "missing_parameter"
    ],
    [
      "the references before the rules of state",
      "/api/v1/calendar/events/99/update",
      "PATCH",
      { body: { start_time: "2026-03-09T09:00:00Z" } },
      404,
      "not_found"
    ]
  ]

  it.each(rows)("the API checks %s", async (_name, path, method, { as = "full", ...asked }, status, code) => {
    const answer = await callers.get(as)?.ask(path, { method, ...asked })
    expect(answer?.json["error"]).toBe(code)
    expect(answer?.status).toBe(status)
  })

  it("a key without the permission gets permission_denied and not the problems of the fields", async () => {
    const bodies = ["{", "[]", JSON.stringify({ title: 1 }), JSON.stringify({})]
    const answers = await Promise.all(bodies.flatMap((body) => callers.get("none")?.post(events, body) ?? []))
    expect(new Set(answers.map((answer) => answer?.text)).size).toBe(1)
  })
})
