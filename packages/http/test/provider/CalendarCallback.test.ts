import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { FakeCalendarConnector, mainCalendar } from "@frontdesk/testing/fake/FakeCalendarConnector"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { aText, type Caller, makeTestApi, refusal, storages, type TestApi, textOf } from "../testApi.ts"

const base = "/api/v1/calendar/connections"
const callback = "/calendar/oauth/callback"

describe.each(storages)("the authorization of an external calendar (D-EXT-20), on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  beforeEach(async () => {
    await answerWith(Effect.void)
    caller = await api.caller()
  })
  afterAll(() => api.close())

  const answerWith = (answer: Effect.Effect<void, CalendarSyncError>) =>
    api.run(Effect.flatMap(FakeCalendarConnector, (fake) => fake.answerWith(answer)))

  const begin = async (body: object = {}, by: Caller = caller) => {
    const answer = await by.post(`${base}/oauth/begin`, { provider: "google", ...body })
    const url = textOf(answer.json["authorization_url"])
    const state = url === "" ? "" : (new URL(url).searchParams.get("state") ?? "")
    return { answer, url, state }
  }

  /** Grants access as a person, and returns the path to which the provider sends the browser. */
  const agree = async ({ state, url }: { readonly url: string; readonly state: string }) => {
    const code = await api.run(Effect.flatMap(FakeCalendarConnector, (fake) => fake.agree(url)))
    return `${callback}?${new URLSearchParams({ state, code, scope: "calendar" }).toString()}`
  }

  const connections = async (by: Caller = caller) => (await by.get(base)).json["connections"]

  const location = (answer: { readonly headers: Headers }) => answer.headers.get("location")

  it("leads to the provider with the redirect URI of this server, and expires after 10 minutes", async () => {
    const before = Date.now()
    const { answer, url } = await begin()
    expect(new URL(url).searchParams.get("redirect_uri")).toBe(`https://api.example.com${callback}`)
    const minutes = (Date.parse(textOf(answer.json["expires_at"])) - before) / 60_000
    expect(Math.round(minutes)).toBe(10)
  })

  it("that a person grants connects the calendar, and answers a page without script", async () => {
    const answer = await api.ask(await agree(await begin()))
    expect(answer.status).toBe(200)
    expect(answer.text).toContain("The calendar is connected")
    expect(answer.text).not.toMatch(/<script|<style|http/)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'"
    })
    expect(await connections()).toMatchObject([{ provider: "google", calendar: mainCalendar("google") }])
    const [entry] = await api.run(allEntriesOf(caller.account.id))
    expect(entry).toMatchObject({
      actor: { type: "authorization", id: "google" },
      requestId: answer.headers.get("x-request-id"),
      operation: "externalCalendars.connect",
      entity: { type: "calendar_connection", id: "google" },
      changes: [{ field: "calendar" }, { field: "credentials" }]
    })
  })

  it("with a chosen calendar connects that calendar", async () => {
    const calendar = `team.${mainCalendar("google")}`
    await api.ask(await agree(await begin({ calendar })))
    expect(await connections()).toMatchObject([{ provider: "google", calendar }])
  })

  it("with a page to return to ends with a redirect to it, whose query keeps its other parameters", async () => {
    const returnUrl = "https://app.example.com/settings?tab=calendars&error=old#google"
    const path = await agree(await begin({ return_url: returnUrl }))
    const answer = await api.ask(path)
    expect([answer.status, location(answer)]).toEqual([
      303,
      "https://app.example.com/settings?tab=calendars&connected=google#google"
    ])
  })

  it("of one account connects no other account", async () => {
    const other = await api.caller()
    await api.ask(await agree(await begin({}, other)))
    expect(await connections()).toEqual([])
    expect(await connections(other)).toHaveLength(1)
  })

  it.each([
    "https://evil.example/",
    "https://app.example.com.evil.example/",
    "https://app.example.com@evil.example/",
    "https://user:pass@app.example.com/",
    "//evil.example/",
    "https:evil.example",
    "https:/\\evil.example/",
    "http://app.example.com/",
    "https://app.example.com:8443/",
    "javascript:alert(1)",
    "data:text/html,x",
    "/settings",
    ""
  ])("with the page %j to return to is refused", async (returnUrl) => {
    const { answer } = await begin({ return_url: returnUrl })
    expect([answer.status, answer.json]).toEqual([400, refusal("validation_error", "return_url")])
  })

  it("leads only to pages of allowed origins, whatever the page to return to is", async () => {
    const part = fc.constantFrom(
      "https:",
      "http:",
      "/",
      "//",
      "\\",
      "@",
      ":",
      "app.example.com",
      "evil.example",
      "?",
      "#",
      " ",
      "\t"
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 8 }), async (parts) => {
        const { answer, state } = await begin({ return_url: parts.join("") })
        if (answer.status !== 200) return
        const denied = await api.ask(`${callback}?state=${encodeURIComponent(state)}&error=access_denied`)
        expect(new URL(location(denied) ?? "").origin).toBe("https://app.example.com")
      }),
      { numRuns: 50 }
    )
  })

  it("that a person denies changes nothing", async () => {
    const { state } = await begin()
    const page = await api.ask(`${callback}?state=${encodeURIComponent(state)}&error=access_denied`)
    expect([page.status, page.text]).toEqual([400, expect.stringContaining("was not granted")])
    const { state: returning } = await begin({ return_url: "https://app.example.com/" })
    const denied = await api.ask(`${callback}?state=${encodeURIComponent(returning)}&error=access_denied`)
    expect(location(denied)).toBe("https://app.example.com/?error=access_denied")
    expect(await connections()).toEqual([])
  })

  it("ends once: a repeat changes nothing and is reported", async () => {
    const path = await agree(await begin({ return_url: "https://app.example.com/" }))
    expect(location(await api.ask(path))).toBe("https://app.example.com/?connected=google")
    await caller.delete(`${base}/google/delete`)
    expect(location(await api.ask(path))).toBe("https://app.example.com/?error=already_used")
    expect(await connections()).toEqual([])
  })

  it("ends once when the browser sends two requests at the same time", async () => {
    const path = await agree(await begin({ return_url: "https://app.example.com/" }))
    const answers = await Promise.all([api.ask(path), api.ask(path), api.ask(path)])
    expect(answers.map((answer) => location(answer)?.split("?")[1] ?? "").toSorted()).toEqual([
      "connected=google",
      "error=already_used",
      "error=already_used"
    ])
  })

  it("expires after 10 minutes", async () => {
    const path = await agree(await begin({ return_url: "https://app.example.com/" }))
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 600_001 })
    try {
      expect(location(await api.ask(path))).toBe("https://app.example.com/?error=expired")
    } finally {
      vi.useRealTimers()
    }
    expect(await connections()).toEqual([])
  })

  it("with a code that the provider refuses changes nothing", async () => {
    const { state } = await begin({ return_url: "https://app.example.com/" })
    const answer = await api.ask(`${callback}?state=${encodeURIComponent(state)}&code=made-up`)
    expect(location(answer)).toBe("https://app.example.com/?error=refused")
    expect(await connections()).toEqual([])
  })

  it("with the code of another authorization changes nothing", async () => {
    const [mine, theirs] = [await begin(), await begin({}, await api.caller())]
    const code = new URLSearchParams((await agree(theirs)).split("?")[1]).get("code") ?? ""
    const answer = await api.ask(`${callback}?${new URLSearchParams({ state: mine.state, code }).toString()}`)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("nothing was changed")])
    expect(await connections()).toEqual([])
  })

  it("fails with unavailable when the provider cannot be reached", async () => {
    await answerWith(Effect.fail(new CalendarSyncError({ reason: "transport", cause: "down" })))
    const answer = await api.ask(await agree(await begin({ return_url: "https://app.example.com/" })))
    expect(location(answer)).toBe("https://app.example.com/?error=unavailable")
    const page = await api.ask(await agree(await begin()))
    expect(page.status).toBe(503)
  })

  it("with a changed state changes nothing and leads nowhere", async () => {
    const path = await agree(await begin({ return_url: "https://app.example.com/" }))
    const state = new URLSearchParams(path.split("?")[1]).get("state") ?? ""
    const [content = "", signature = ""] = state.split(".")
    const other = await api.caller()
    const text = Buffer.from(content, "base64url").toString("utf8")
    const own = `"accountId":${caller.account.id},`
    expect(text).toContain(own)
    const changed = Buffer.from(text.replace(own, `"accountId":${other.account.id},`)).toString("base64url")
    for (const wrong of [
      "",
      ".",
      content,
      `${content}.`,
      `${content}.x${signature}`,
      `${changed}.${signature}`,
      "x".repeat(9_000)
    ]) {
      const answer = await api.ask(`${callback}?${new URLSearchParams({ state: wrong, code: "c" }).toString()}`)
      expect([answer.status, location(answer)]).toEqual([400, null])
    }
    expect(await connections(other)).toEqual([])
  })

  it("is not used up by a HEAD, and the page has no other method", async () => {
    const path = await agree(await begin())
    expect((await api.ask(path, { method: "HEAD" })).status).toBe(200)
    expect(await connections()).toEqual([])
    expect((await api.ask(path, { method: "POST" })).status).toBe(405)
    expect((await api.ask(path)).status).toBe(200)
    expect(await connections()).toHaveLength(1)
  })

  it("is refused for a provider without an authorization", async () => {
    const { answer } = await begin({ provider: "apple" })
    expect(answer.json).toEqual(refusal("validation_error", "provider"))
  })
})

it("a server without a public URL offers neither Google nor Outlook, and has no callback", async () => {
  const api = await makeTestApi("memory", {}, undefined, null)
  const caller = await api.caller()
  expect((await caller.get(base)).json).toMatchObject({ providers: ["apple"] })
  const answer = await caller.post(`${base}/oauth/begin`, { provider: "google" })
  expect([answer.status, answer.json]).toEqual([409, { error: "calendar_not_offered", message: aText }])
  expect((await api.ask(`${callback}?state=a&code=b`)).status).toBe(404)
  await api.close()
})
