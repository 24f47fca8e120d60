import { ContactId } from "@frontdesk/core/contact/Contact"
import * as ApiError from "@frontdesk/http/ApiError"
import * as FrontdeskClient from "@frontdesk/http/FrontdeskClient"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Caller, makeTestApi, storages, type TestApi } from "./testApi.ts"

describe.each(storages)("the typed client, on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
    caller = await api.caller()
  })
  afterAll(() => api.close())

  const using = <A, E>(use: (client: FrontdeskClient.FrontdeskClient) => Effect.Effect<A, E>, key = caller.key) => {
    const fetcher = Layer.succeed(FetchHttpClient.Fetch, (input, init) => api.send(new Request(input, init)))
    return FrontdeskClient.make({ baseUrl: "http://localhost", apiKey: Redacted.make(key) }).pipe(
      Effect.flatMap(use),
      Effect.provide(FetchHttpClient.layer.pipe(Layer.provide(fetcher))),
      Effect.runPromise
    )
  }

  it("takes and returns camelCase names, DateTime values and branded ids", async () => {
    const created = await using((client) =>
      client.events.create({
        payload: {
          title: "Demo",
          startTime: "2026-03-09T09:00:00Z",
          endTime: "2026-03-09T10:00:00Z",
          customerName: "Jo"
        }
      })
    )
    expect(DateTime.formatIso(created.startTime)).toBe("2026-03-09T09:00:00.000Z")
    const event = await using((client) => client.events.get({ params: { eventId: { uuid: created.uuid } } }))
    expect(event).toMatchObject({ id: created.id, customer: { name: "Jo" }, durationMinutes: 60 })
    const page = await using((client) => client.events.list({ query: { limit: 5, eventType: "meeting" } }))
    expect([page.count, page.limit, page.events[0]?.id]).toEqual([1, 5, created.id])
    const days = await using((client) => client.availability.find({ query: { duration: 60 } }))
    expect(days.durationMinutes).toBe(60)
  })

  it("fails with an ApiError that has the error code", async () => {
    const params = { contactId: ContactId.make(99) }
    const error = await using((client) => Effect.flip(client.contacts.get({ params })))
    expect(error).toBeInstanceOf(ApiError.ApiError)
    expect(error).toMatchObject({ _tag: "ApiError", error: "not_found" })
    const invalid = await using((client) => Effect.flip(client.agents.list({ query: {} })), "wrong")
    expect(invalid).toMatchObject({ error: "invalid_key" })
  })

  it("returns an iCalendar file as text", async () => {
    const { uuid } = await using((client) =>
      client.events.create({
        payload: { title: "x", startTime: "2026-03-09T09:00:00Z", endTime: "2026-03-09T10:00:00Z" }
      })
    )
    const text = await using((client) => client.events.ics({ params: { eventId: { uuid } }, query: {} }))
    expect(text).toContain("BEGIN:VEVENT")
  })
})
