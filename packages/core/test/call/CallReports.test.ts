import { describe, expect, it } from "@effect/vitest"
import { type Call, durationSeconds } from "@frontdesk/core/call/Call"
import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import { apply } from "@frontdesk/core/call/CallReports"
import { isTerminal } from "@frontdesk/core/call/CallStatus"
import * as Money from "@frontdesk/core/values/Money"
import type { CallEventName } from "@frontdesk/core/call/CallWebhookEvent"
import { call, madeAt, providerReports, reordered } from "@frontdesk/testing/arbitrary/call"
import * as DateTime from "effect/DateTime"
import * as fc from "fast-check"

const now = DateTime.makeUnsafe("2026-03-01T15:00:00Z")
const at = (seconds: number): DateTime.Utc => DateTime.add(madeAt, { seconds })
const [queued] = fc.sample(call(), { numRuns: 1, seed: 1 })

const run = (start: Call, reports: ReadonlyArray<ProviderReport>) => {
  let current = start
  let settlements = 0
  const events: Array<CallEventName> = []
  for (const report of reports) {
    const applied = apply(current, report, now)
    current = applied.call
    events.push(...applied.events)
    if (applied.settle) settlements += 1
  }
  return { call: current, events, settlements }
}

const example = (...reports: ReadonlyArray<ProviderReport>) => {
  if (queued === undefined) throw new Error("no example")
  return run(queued, reports)
}

const ringing: ProviderReport = { _tag: "Ringing" }
const answered: ProviderReport = { _tag: "Answered", at: at(5) }
const completed: ProviderReport = {
  _tag: "Ended",
  status: "completed",
  answeredAt: at(5),
  endedAt: at(35),
  reason: "customer_ended_call"
}
const busy: ProviderReport = { _tag: "Ended", status: "busy", answeredAt: null, endedAt: at(3), reason: "busy" }
const transcript: ProviderReport = { _tag: "Transcript", text: "Agent: Hello." }

describe("CallReports.apply", () => {
  it("an answered call raises call.started, then call.ended (C-6.1-1, C-6.1-2, D-EVT-1)", () => {
    const { call, events, settlements } = example(ringing, answered, completed)
    expect(events).toEqual(["call.started", "call.ended"])
    expect(settlements).toBe(1)
    expect(call).toMatchObject({
      status: "completed",
      startedAt: at(5),
      endedAt: at(35),
      endedReason: "customer_ended_call"
    })
    expect(durationSeconds(call)).toBe(30)
  })

  it("a call that is never answered raises only call.failed (C-6.1-3, D-EVT-1)", () => {
    const { call, events } = example(ringing, busy)
    expect(events).toEqual(["call.failed"])
    expect(call).toMatchObject({ status: "busy", startedAt: null, endedAt: at(3) })
    expect(durationSeconds(call)).toBe(0)
  })

  it("an end that arrives before the answer and states the answer also raises call.started", () => {
    const { call, events } = example(completed, answered, ringing)
    expect(events).toEqual(["call.started", "call.ended"])
    expect(call).toMatchObject({ status: "completed", startedAt: at(5) })
  })

  it("the first transcript, recording and summary each raise a webhook event, also after the end (C-6.1-4, C-6.1-5, C-6.1-6)", () => {
    const recording: ProviderReport = { _tag: "Recording", url: "https://recordings.example/1.wav" }
    const summary: ProviderReport = { _tag: "Summary", text: "They said hello." }
    const { call, events } = example(answered, transcript, completed, recording, transcript, summary, summary)
    expect(events).toEqual(["call.started", "call.transcript", "call.ended", "call.recording", "call.summary"])
    expect(call).toMatchObject({ transcript: "Agent: Hello.", recordingUrl: "https://recordings.example/1.wav" })
  })

  it("a second end changes nothing, because the first one is final (D-CALL-21)", () => {
    const first = example(busy)
    const both = example(busy, completed, answered)
    expect(both).toEqual(first)
  })

  it("a reported answer counts although the end states that the call was never answered (D-CALL-24)", () => {
    const { call, events } = example(answered, busy)
    expect(events).toEqual(["call.started", "call.ended"])
    expect(call).toMatchObject({ status: "busy", startedAt: at(5) })
  })

  it("characters that PostgreSQL cannot store are removed or replaced in reported texts, so that the call can end (D-VAL-6)", () => {
    const { call } = example(
      { ...completed, reason: "hung\0 up" },
      { _tag: "Transcript", text: "He\0llo \ud83d." },
      { _tag: "Summary", text: "\0" }
    )
    expect(call).toMatchObject({ endedReason: "hung up", transcript: "Hello \ufffd.", summary: "" })
  })

  it("the reason of an end is shortened to 200 characters, and half of a surrogate pair is replaced (D-CALL-28)", () => {
    const { call } = example({ ...completed, reason: `${"r".repeat(199)}\u{1f600}` })
    expect(call.endedReason).toBe(`${"r".repeat(199)}\ufffd`)
  })

  it("a recording whose URL has more than 2,048 bytes of JSON is not stored and raises no webhook event (D-CALL-28)", () => {
    // The JSON of a URL has two quotes more than the URL.
    const recording = (length: number): ProviderReport => ({ _tag: "Recording", url: "https://x/".padEnd(length, "u") })
    const { call, events } = example(completed, recording(2_047))
    expect([call.recordingUrl, events.includes("call.recording")]).toEqual([null, false])
    const url = "https://x/".padEnd(2_046, "u")
    expect(example(completed, recording(2_047), recording(2_046)).call.recordingUrl).toBe(url)
  })

  it("the provider's own charge changes nothing (D-BILL-14)", () => {
    expect(example({ _tag: "Cost", amount: Money.Money.make(12_345) })).toEqual(example())
  })
})

describe("laws of CallReports", () => {
  const history = fc
    .record({ call: call(), reports: providerReports() })
    .chain(({ call, reports }) =>
      fc.record({ call: fc.constant(call), reports: fc.constant(reports), other: reordered(reports) })
    )

  it("the same reports lead to the same call and the same webhook events, in any order and with any repeats", () => {
    fc.assert(
      fc.property(history, ({ call, reports, other }) => {
        const expected = run(call, reports)
        const actual = run(call, other)
        expect(actual.call).toEqual(expected.call)
        expect(actual.events.toSorted()).toEqual(expected.events.toSorted())
        expect(actual.settlements).toBe(expected.settlements)
      })
    )
  })

  it("a call that ends is settled once and raises exactly one of call.ended and call.failed", () => {
    fc.assert(
      fc.property(history, ({ call, other }) => {
        const { call: after, events, settlements } = run(call, other)
        const ends = events.filter((name) => name === "call.ended" || name === "call.failed")
        expect([settlements, ends.length]).toEqual(isTerminal(after.status) ? [1, 1] : [0, 0])
        expect(new Set(events).size).toBe(events.length)
        expect(events.includes("call.ended")).toBe(isTerminal(after.status) && after.startedAt !== null)
        expect(events.includes("call.started")).toBe(after.startedAt !== null)
      })
    )
  })

  it("call.started is raised before call.ended", () => {
    fc.assert(
      fc.property(history, ({ call, other }) => {
        const { events } = run(call, other)
        const ended = events.indexOf("call.ended")
        expect(ended === -1 || events.indexOf("call.started") < ended).toBe(true)
      })
    )
  })

  it("a repeated report returns the same object, so that nothing is written", () => {
    fc.assert(
      fc.property(history, ({ call, reports }) => {
        const { call: after } = run(call, reports)
        for (const report of reports) expect(apply(after, report, now).call).toBe(after)
      })
    )
  })
})
