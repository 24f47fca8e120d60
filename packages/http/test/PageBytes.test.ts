import * as Page from "@frontdesk/core/values/Page"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeTestApi, type TestApi } from "./testApi.ts"

// This character has six bytes in JSON.
const control = "\u0001"

describe("the largest page", () => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi("memory")
  })
  afterAll(() => api.close())

  it("of calendar events has less than 2.5 MB", async () => {
    const caller = await api.caller()
    // The text before the repeated character has 15 characters.
    const url = (size: number) => `https://x.test/${control.repeat(size - 15)}`
    const body = {
      title: `t${control.repeat(254)}`,
      location: control.repeat(1_000),
      start_time: "2026-03-08T13:00:00Z",
      end_time: "2026-03-08T14:00:00Z",
      customer_name: control.repeat(255),
      customer_phone: control.repeat(50)
    }
    const urls = [url(2_048), `https://x.test/${"€".repeat(2_033)}`]
    const made = []
    for (const video_conference_url of urls) {
      made.push(await caller.post("/api/v1/calendar/events/create", { ...body, video_conference_url }))
    }
    // One of the two URLs may be invalid. The largest created event counts.
    expect(made.map(({ status }) => status)).toContain(201)
    const { json } = await caller.get("/api/v1/calendar/events?limit=100")
    const [largest = 0] = Schema.decodeUnknownSync(Schema.Array(Schema.Json))(json["events"])
      .map((event) => Buffer.byteLength(JSON.stringify(event)))
      .toSorted((a, b) => b - a)
    // The calendar event has neither an e-mail address nor an agent. Their largest texts are added here.
    const more = 254 + 6 * 255 + 255 + 100
    expect((largest + more) * Page.maxLimit).toBeLessThan(2_500_000)
  })

  it("of webhooks has less than 1 MiB and 1 KiB for each webhook, when the account may store no more bytes of webhooks", async () => {
    const caller = await api.caller()
    const last = async () => {
      for (let count = 0; count < 500; count++) {
        const answer = await caller.post("/api/v1/api/webhooks/create", {
          name: control.repeat(199) + "n",
          url: `https://hooks.example.com/${"é".repeat(2_000)}`,
          subscribed_events: ["call.started"]
        })
        if (answer.status !== 201) return answer
      }
      return undefined
    }
    expect(await last()).toMatchObject({ status: 409, json: { error: "limit_reached" } })
    const { text } = await caller.get("/api/v1/webhooks")
    expect(Buffer.byteLength(text)).toBeLessThan(1_048_576 + 500 * 1_024)
  })
})
