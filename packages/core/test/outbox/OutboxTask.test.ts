import { describe, expect, it } from "@effect/vitest"
import * as OutboxTask from "@frontdesk/core/outbox/OutboxTask"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const decode = Schema.decodeUnknownResult(Schema.toCodecJson(OutboxTask.OutboxWork))

const event = { id: 7, accountId: 1, startTime: "2026-06-01T10:00:00.000Z", customer: { email: "jo@example.com" } }
const sync = { _tag: "SyncEvent", provider: "google", eventId: 9 }
const notify = { _tag: "Notify", notification: { kind: "reminder", event } }

describe("OutboxTask", () => {
  it.each([
    ["a write to an external calendar", sync, 9],
    ["a resolution of a conflict", { ...sync, resolution: "overwrite" }, 9],
    ["a mail", notify, 7]
  ])("%s decodes unchanged, and eventIdOf returns its event", (_, stored, id) => {
    const work = Result.getOrThrow(decode(stored))
    expect(OutboxTask.eventIdOf(work)).toBe(id)
    expect(Schema.encodeSync(Schema.toCodecJson(OutboxTask.OutboxWork))(work)).toEqual(stored)
  })

  it("work of another kind or provider does not decode", () => {
    for (const stored of [{ ...sync, _tag: "Other" }, { ...sync, provider: "other" }, { _tag: "Notify" }]) {
      expect(Result.isFailure(decode(stored))).toBe(true)
    }
  })
})
