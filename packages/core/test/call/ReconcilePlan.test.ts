import { describe, expect, it } from "@effect/vitest"
import type { Call } from "@frontdesk/core/call/Call"
import type { CallSnapshot } from "@frontdesk/core/call/CallProvider"
import * as ReconcilePlan from "@frontdesk/core/call/ReconcilePlan"
import * as Money from "@frontdesk/core/values/Money"
import { call, madeAt } from "@frontdesk/testing/arbitrary/call"
import * as DateTime from "effect/DateTime"
import * as fc from "fast-check"

const { standard } = ReconcilePlan
const minute = 60

/** Returns the time some seconds after the call was made. */
const at = (seconds: number): DateTime.Utc => DateTime.add(madeAt, { seconds })

const secondsOf = (time: DateTime.Utc | null): number | null =>
  time === null ? null : (time.epochMilliseconds - madeAt.epochMilliseconds) / 1_000

/** Returns a queued call without a price that the provider has accepted, with other fields. */
const callWith = (fields: Partial<Call> = {}): Call => {
  const price = fc.constant(Money.zero)
  const [sample] = fc.sample(call({ pricePerMinute: price }), { numRuns: 1, seed: 1 })
  if (sample === undefined) throw new Error("no call was generated")
  return { ...sample, ...fields }
}

const priced = (fields: Partial<Call> = {}): Call => {
  const { billing, ...rest } = callWith(fields)
  return { ...rest, billing: { ...billing, pricePerMinute: Money.Money.make(1) } }
}

const ended: Partial<Call> = { status: "completed", startedAt: at(0), endedAt: at(60), endedReason: "done" }

const givenUp: Partial<Call> = { ...ended, endedReason: ReconcilePlan.timeoutReason }

describe("ReconcilePlan.nextAt", () => {
  it("nextAt repeats the last delay of the plan", () => {
    expect([0, 1, 2, 3, 4, 100].map((asked) => secondsOf(ReconcilePlan.nextAt(standard, asked, at(0))))).toEqual([
      15, 30, 60, 120, 120, 120
    ])
  })
})

describe("ReconcilePlan.schedule", () => {
  const nextQuestion = (...[given, asked, now, question]: [Call, number, number, ReconcilePlan.Question?]) =>
    secondsOf(ReconcilePlan.schedule(standard, given, asked, at(now), question).reconcileAt)

  it("stores the number of questions", () => {
    expect(ReconcilePlan.schedule(standard, callWith(), 3, at(0)).reconcileCount).toBe(3)
  })

  it("asks about a running call after 15, 30 and 60 seconds, then every 2 minutes (D-CALL-31)", () => {
    expect([0, 1, 2, 3, 4].map((asked) => nextQuestion(callWith(), asked, 0))).toEqual([15, 30, 60, 120, 120])
  })

  it("asks about an answered call when it would be given up, if that is sooner (D-CALL-33)", () => {
    const answered = callWith({ status: "in_progress", startedAt: at(minute) })
    expect(nextQuestion(answered, 3, 70 * minute)).toBe(71 * minute)
    expect(nextQuestion(answered, 3, 71 * minute)).toBe(73 * minute)
  })

  it("asks about a call whose submission is unknown when the submission window ends, if that is sooner", () => {
    const unknown = callWith({ submission: "unknown" })
    expect(nextQuestion(unknown, 3, 90)).toBe(120)
    expect(nextQuestion(unknown, 3, 120)).toBe(240)
    expect(nextQuestion(callWith(), 3, 90)).toBe(210)
  })

  it("asks about an unanswered call with a price 25 seconds after it was made or last confirmed (D-BILL-9)", () => {
    expect(nextQuestion(priced(), 3, 5)).toBe(25)
    expect(nextQuestion(priced({ confirmedAt: at(50) }), 3, 60)).toBe(75)
    expect(nextQuestion(priced({ status: "in_progress", startedAt: at(0) }), 3, 5)).toBe(125)
  })

  it("asks again 25 seconds after an answered question, and 10 seconds after a failed one (D-BILL-9)", () => {
    const ringing = priced({ status: "ringing", confirmedAt: at(100) })
    expect(nextQuestion(ringing, 3, 101, { askedAt: at(100), isAnswered: true })).toBe(125)
    expect(nextQuestion(ringing, 3, 101, { askedAt: at(100), isAnswered: false })).toBe(110)
  })

  it("asks again 25 seconds after a failed question from 2 minutes after the last confirmation on (D-BILL-9)", () => {
    const ringing = priced({ status: "ringing", confirmedAt: at(0) })
    expect(nextQuestion(ringing, 3, 119, { askedAt: at(118), isAnswered: false })).toBe(128)
    expect(nextQuestion(ringing, 3, 120, { askedAt: at(118), isAnswered: false })).toBe(143)
  })

  it("asks again after a second when the failed question took longer than the wait (D-BILL-9)", () => {
    const ringing = priced({ status: "ringing", confirmedAt: at(0) })
    expect(nextQuestion(ringing, 3, 90, { askedAt: at(60), isAnswered: false })).toBe(91)
  })

  it("asks about an ended call that lacks data after 15 seconds, 1, 5 and 30 minutes, then no more (D-CALL-37)", () => {
    const waits = [0, 1, 2, 3, 4].map((asked) => nextQuestion(callWith(ended), asked, 0))
    expect(waits).toEqual([15, minute, 5 * minute, 30 * minute, null])
  })

  it.each(["transcript", "recordingUrl", "summary"] as const)(
    "asks about an ended call that lacks only its %s",
    (name) => {
      const complete = {
        ...ended,
        transcript: "Hello.",
        recordingUrl: "https://recordings.example/1",
        summary: "Booked."
      }
      expect(nextQuestion(callWith(complete), 0, 0)).toBeNull()
      expect(nextQuestion(callWith({ ...complete, [name]: null }), 0, 0)).toBe(15)
    }
  )

  it("asks about an answered call that was given up by the same delays as about any ended call", () => {
    expect([0, 1].map((asked) => nextQuestion(callWith(givenUp), asked, 0))).toEqual([15, minute])
  })

  it("does not ask about an ended call that was never answered", () => {
    expect(nextQuestion(callWith({ ...ended, status: "busy", startedAt: null }), 0, 0)).toBeNull()
  })

  it("asks about an unanswered call that was given up for 70 minutes, because it may be live (D-CALL-36)", () => {
    const lost = callWith({ ...givenUp, status: "failed", startedAt: null })
    expect(nextQuestion(lost, 0, 70 * minute)).toBe(70 * minute + 15)
    expect(nextQuestion(lost, 0, 71 * minute)).toBeNull()
    expect(nextQuestion({ ...lost, submission: "unknown" }, 0, 70 * minute)).toBeNull()
  })
})

describe("ReconcilePlan.isTimedOut", () => {
  const known: CallSnapshot = { _tag: "Known", providerCallId: "provider_1", reports: [] }
  const notFound: CallSnapshot = { _tag: "NotFound" }
  const unreachable: CallSnapshot = { _tag: "Unreachable", cause: "no route" }
  const isTimedOut = (given: Call, snapshot: CallSnapshot, seconds: number) =>
    ReconcilePlan.isTimedOut(standard, given, snapshot, at(seconds))

  it("is true 70 minutes after an unanswered call was made, whatever the provider answers (D-CALL-33)", () => {
    for (const snapshot of [known, notFound, unreachable]) {
      expect(isTimedOut(callWith(), snapshot, 70 * minute)).toBe(true)
    }
    expect(isTimedOut(callWith(), known, 70 * minute - 1)).toBe(false)
  })

  it("is true 70 minutes after the answer of an answered call (D-CALL-33)", () => {
    const answered = callWith({ status: "in_progress", startedAt: at(minute) })
    expect(isTimedOut(answered, known, 71 * minute - 1)).toBe(false)
    expect(isTimedOut(answered, known, 71 * minute)).toBe(true)
  })

  it("is true from 2 minutes after the start when the provider does not know the call (D-CALL-33)", () => {
    expect(isTimedOut(callWith(), notFound, 119)).toBe(false)
    expect(isTimedOut(callWith(), notFound, 120)).toBe(true)
    expect(isTimedOut(callWith(), unreachable, 120)).toBe(false)
  })

  it("is false for a call that has ended", () => {
    expect(isTimedOut(callWith(ended), notFound, 80 * minute)).toBe(false)
  })
})

describe("ReconcilePlan.mayStillRun", () => {
  const mayStillRun = (given: Call, seconds: number) => ReconcilePlan.mayStillRun(standard, given, at(seconds))

  it("is true for 70 minutes after an answered call was overdue (D-CALL-36)", () => {
    expect(mayStillRun(callWith(givenUp), 140 * minute - 1)).toBe(true)
    expect(mayStillRun(callWith(givenUp), 140 * minute)).toBe(false)
  })

  it("is true for 70 minutes after the end of an unanswered call (D-CALL-36)", () => {
    const lost = callWith({ ...givenUp, startedAt: null })
    expect(mayStillRun(lost, 71 * minute - 1)).toBe(true)
    expect(mayStillRun(lost, 71 * minute)).toBe(false)
  })

  it("is false for a call whose end the provider has reported, for a running call, and for one without an end", () => {
    expect(mayStillRun(callWith(ended), 0)).toBe(false)
    expect(mayStillRun(callWith({ ...givenUp, status: "in_progress" }), 0)).toBe(false)
    expect(mayStillRun(callWith({ ...givenUp, startedAt: null, endedAt: null }), 0)).toBe(false)
  })
})

describe("ReconcilePlan.timeout", () => {
  it("ends an unanswered call now, as failed (D-CALL-33)", () => {
    expect(ReconcilePlan.timeout({ startedAt: null, confirmedAt: at(3) }, at(9))).toEqual({
      status: "failed",
      answeredAt: null,
      endedAt: at(9),
      reason: "provider_timeout"
    })
  })

  it.each([
    ["at its last confirmation", 20, 20],
    ["at its answer when it was never confirmed", null, 10],
    ["at its answer when it was confirmed before", 5, 10]
  ])("ends an answered call %s, as completed (D-CALL-33)", (_, confirmed, end) => {
    const confirmedAt = confirmed === null ? null : at(confirmed)
    expect(ReconcilePlan.timeout({ startedAt: at(10), confirmedAt }, at(90))).toEqual({
      status: "completed",
      answeredAt: at(10),
      endedAt: at(end),
      reason: "provider_timeout"
    })
  })
})
