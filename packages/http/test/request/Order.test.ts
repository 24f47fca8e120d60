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
    ["route before method", "/nowhere", "POST", {}, 404, "not_found"],
    ["route before key", "/nowhere", "GET", { headers: noKey }, 404, "not_found"],
    ["method before key", events, "PATCH", { headers: noKey }, 405, "method_not_allowed"],
    ["key present before its worth", events, "POST", { headers: noKey, body: "{" }, 401, "authentication_required"],
    ["key valid before permission", events, "POST", { headers: badKey, body: "{" }, 401, "invalid_key"],
    ["permission before size", events, "POST", { as: "none", body: large }, 403, "permission_denied"],
    [
      "permission before media type",
      events,
      "POST",
      { as: "none", body: "x", headers: text },
      403,
      "permission_denied"
    ],
    ["permission before JSON", events, "POST", { as: "none", body: "{" }, 403, "permission_denied"],
    ["permission before fields", events, "POST", { as: "none", body: {} }, 403, "permission_denied"],
    ["permission before path values", "/api/v1/contacts/abc", "GET", { as: "none" }, 403, "permission_denied"],
    ["permission before limit", events, "POST", { as: "limited without permission" }, 403, "permission_denied"],
    ["limit before size", events, "POST", { as: "limited", body: large }, 429, "rate_limited"],
    ["limit before JSON", events, "POST", { as: "limited", body: "{" }, 429, "rate_limited"],
    ["limit before references", "/api/v1/contacts/1", "GET", { as: "limited" }, 429, "rate_limited"],
    ["size before media type", events, "POST", { body: large, headers: text }, 413, "payload_too_large"],
    ["media type before JSON", events, "POST", { body: "{", headers: text }, 415, "unsupported_media_type"],
    ["JSON before path values", "/api/v1/contacts/abc/update", "PUT", { body: "{" }, 400, "invalid_json"],
    ["path before body", "/api/v1/contacts/abc/update", "PUT", { body: { email: 1 } }, 400, "invalid_parameter"],
    ["fields before references", "/api/v1/contacts/99/update", "PUT", { body: { email: 1 } }, 400, "validation_error"],
    [
      "missing before wrong",
      events,
      "POST",
      { body: { title: 1, start_time: "2026-03-09T09:00:00Z" } },
      400,
      "missing_parameter"
    ],
    [
      "references before state rules",
      "/api/v1/calendar/events/99/update",
      "PATCH",
      { body: { start_time: "2026-03-09T09:00:00Z" } },
      404,
      "not_found"
    ]
  ]

  it.each(rows)("%s", async (_name, path, method, { as = "full", ...asked }, status, code) => {
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
