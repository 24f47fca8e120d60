import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { durationSeconds, knownCall, shorten } from "@frontdesk/core/call/Call"
import { callContact, queuedCall } from "@frontdesk/core/call/QueuedCall"
import { Money } from "@frontdesk/core/values/Money"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as arbitrary from "@frontdesk/testing/arbitrary/call"
import * as contacts from "@frontdesk/testing/arbitrary/contact"
import * as DateTime from "effect/DateTime"
import * as fc from "fast-check"

const [call] = fc.sample(arbitrary.call(), { numRuns: 1, seed: 1 })
const [contact] = fc.sample(contacts.contact(), { numRuns: 1, seed: 1 })
if (call === undefined || contact === undefined) throw new Error("no samples")

const now = DateTime.makeUnsafe("2026-03-01T12:00:00Z")

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1000)

describe("Call", () => {
  it("knownCall returns the reference, the provider's id, the number and the creation time of a call", () => {
    expect(knownCall(call)).toEqual({
      ref: call.callId,
      providerCallId: call.providerCallId,
      to: call.phoneNumber,
      createdAt: call.createdAt
    })
  })

  it("shorten empties transcript, summary, variables and metadata, and keeps every other field", () => {
    const large = { ...call, transcript: "t", summary: "s", variables: { a: 1 }, metadata: { b: 2 }, recordingUrl: "u" }
    expect(shorten(large)).toEqual({ ...large, transcript: null, summary: null, variables: {}, metadata: null })
  })

  it("durationSeconds of a call that ended without an answer is 0 (D-CALL-23)", () => {
    expect(durationSeconds({ startedAt: null, endedAt: at(10) })).toBe(0)
  })
})

describe("Call.durationSeconds", () => {
  it("durationSeconds returns whole seconds and is never negative", () => {
    const lasting = (milliseconds: number) =>
      durationSeconds({ startedAt: at(5), endedAt: DateTime.add(at(5), { milliseconds }) })
    expect([lasting(999), lasting(60_001), lasting(-1)]).toEqual([0, 60, 0])
  })

  it("durationSeconds of a running call is null (D-CALL-23)", () => {
    expect(durationSeconds({ startedAt: at(5), endedAt: null })).toBeNull()
  })
})

describe("QueuedCall", () => {
  const jo = { ...contact, firstName: "Jo", lastName: "Li", company: "Acme", lastCallDate: now }

  it("callContact returns the contact's present values (C-2.2-4)", () => {
    expect(callContact(jo)).toEqual({
      id: jo.id,
      name: "Jo Li",
      email: jo.email,
      company: "Acme",
      status: jo.status,
      stage: jo.stage,
      lastCallDate: now
    })
  })

  it("queuedCall returns a queued call with one reserved minute, which the provider does not have (D-CALL-8)", () => {
    const agent = {
      id: AgentId.make(7),
      accountId: AccountId.make(1),
      assistantId: "asst_ada",
      name: "Ada",
      role: "outbound agent",
      phoneNumber: PhoneNumber.make("+12025550100"),
      model: "gpt-x",
      voiceId: "v1",
      teamId: null,
      allowedTools: null,
      secondsUsed: 0,
      totalCalls: 0,
      createdAt: now,
      archivedAt: null
    } as const
    const plan = {
      agent,
      from: agent.phoneNumber,
      to: PhoneNumber.make("+12025550111"),
      contact: jo,
      own: { a: 1 },
      variables: { a: 1, b: 2 },
      unresolved: [],
      reservation: Money.make(100_000)
    }
    const reconcileAt = DateTime.add(now, { minutes: 1 })
    const details = {
      accountId: AccountId.make(1),
      callId: "call_1",
      team: null,
      metadata: { order: 7 },
      reconcileAt,
      now
    }
    expect(queuedCall(plan, details)).toEqual({
      accountId: 1,
      callId: "call_1",
      agent: { id: 7, name: "Ada", assistantId: "asst_ada" },
      status: "queued",
      type: "outbound",
      phoneNumber: "+12025550111",
      startedAt: null,
      endedAt: null,
      summary: null,
      transcript: null,
      recordingUrl: null,
      contact: callContact(jo),
      team: null,
      billing: { status: "pending", pricePerMinute: 100_000, initialCharge: 100_000, finalCharge: 0 },
      endedReason: null,
      variables: { a: 1 },
      metadata: { order: 7 },
      submission: "intended",
      providerCallId: null,
      reconcileAt,
      reconcileCount: 0,
      confirmedAt: null,
      reservedMinutes: 1,
      reserveAt: null,
      createdAt: now,
      updatedAt: now
    })
    expect(queuedCall({ ...plan, contact: null }, details).contact).toBeNull()
  })
})
