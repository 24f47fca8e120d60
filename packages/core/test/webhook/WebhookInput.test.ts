import { describe, expect, it } from "@effect/vitest"
import { CreateWebhook, eventNames, PatchWebhook, RotateSecret } from "@frontdesk/core/webhook/WebhookInput"
import { WebhookEventName } from "@frontdesk/core/webhook-event/WebhookEventName"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

describe("WebhookInput", () => {
  const accepts = Schema.is(PatchWebhook)

  it.each([
    ["the name of a webhook", 200, (length: number) => ({ name: "x".repeat(length) })],
    ["the URL of a webhook (D-HOOK-6)", 2_048, (length: number) => ({ url: "x".repeat(length) })],
    [
      "the list of events",
      100,
      (length: number) => ({ subscribedEvents: Array.from({ length }, () => "call.started") })
    ]
  ])("%s has at most %i characters or entries", (_, max, body) => {
    expect(accepts(body(max))).toBe(true)
    expect(accepts(body(max + 1))).toBe(false)
  })

  it("the grace time of a rotation is 0 to 168 hours (D-HOOK-11)", () => {
    const isRotation = (graceHours: number | null) => Schema.is(RotateSecret)({ graceHours })
    expect([null, 0, 0.5, 168].map(isRotation)).toEqual([true, true, true, true])
    expect([-1, 168.1, Number.NaN].map(isRotation)).toEqual([false, false, false])
  })

  it("eventNames returns each name once, in the order of the first mention", () => {
    expect(eventNames(["call.ended", "call.started", "call.ended"])).toEqual(
      Result.succeed(["call.ended", "call.started"])
    )
  })

  it("eventNames fails with each unknown name once, and for an empty list (D-HOOK-7)", () => {
    expect(eventNames(["call.started", "b", "a", "b"])).toMatchObject({
      failure: { _tag: "InvalidEvent", unknown: ["b", "a"] }
    })
    expect(eventNames([])).toMatchObject({ failure: { _tag: "InvalidEvent", unknown: [] } })
  })

  it("the JSON Schema of a webhook lists the names of the events, although any text decodes", () => {
    const document = JSON.stringify(Schema.toJsonSchemaDocument(CreateWebhook))
    for (const name of WebhookEventName.literals) expect(document).toContain(JSON.stringify(name))
    expect(accepts({ subscribedEvents: ["unknown"] })).toBe(true)
  })
})
