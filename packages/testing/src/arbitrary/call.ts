import { AccountId } from "@frontdesk/core/access/Account"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { pending } from "@frontdesk/core/call/Billing"
import { type Call, CallId } from "@frontdesk/core/call/Call"
import type { CallEnd, ProviderReport } from "@frontdesk/core/call/CallProvider"
import * as Money from "@frontdesk/core/values/Money"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as DateTime from "effect/DateTime"
import * as fc from "fast-check"

/** Generates a phone number. `ending` sets the last four digits, which select the script of the simulated provider. */
export const calledNumber = (options: { readonly ending?: fc.Arbitrary<string> } = {}): fc.Arbitrary<PhoneNumber> =>
  fc
    .tuple(fc.integer({ min: 100, max: 99_999_999_999 }), options.ending ?? fc.stringMatching(/^\d{4}$/))
    .map(([head, ending]) => PhoneNumber.make(`+${head}${ending}`))

/** Generates the last four digits that select a script of the simulated provider, or those of an ordinary call. */
export const scriptEnding = (): fc.Arbitrary<string> => fc.constantFrom("0001", "0002", "0003", "0004", "0005", "0111")

/** Generates a price per minute, often 0 and at most 10. */
export const price = (): fc.Arbitrary<Money.Money> =>
  fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 10 * Money.scale })).map((amount) => Money.Money.make(amount))

/** The time at which generated calls are made. Generated reports are not earlier. */
export const madeAt: DateTime.Utc = DateTime.makeUnsafe("2026-03-01T12:00:00Z")

/** Generates a call that the provider has accepted, without any report. */
export const call = (options: { readonly pricePerMinute?: fc.Arbitrary<Money.Money> } = {}): fc.Arbitrary<Call> =>
  fc
    .record({
      id: fc.integer({ min: 1, max: 1_000_000 }),
      pricePerMinute: options.pricePerMinute ?? price(),
      phoneNumber: calledNumber()
    })
    .map(({ id, pricePerMinute, phoneNumber }) => ({
      id: CallId.make(id),
      accountId: AccountId.make(1),
      callId: `call_${id}`,
      agent: { id: AgentId.make(1), name: "Ada", assistantId: "asst_ada" },
      status: "queued",
      type: "outbound",
      phoneNumber,
      startedAt: null,
      endedAt: null,
      summary: null,
      transcript: null,
      recordingUrl: null,
      contact: null,
      team: null,
      billing: pending(pricePerMinute),
      endedReason: null,
      variables: {},
      metadata: null,
      submission: "accepted",
      providerCallId: `provider_${id}`,
      reconcileAt: madeAt,
      reconcileCount: 0,
      confirmedAt: null,
      reservedMinutes: 1,
      reserveAt: null,
      createdAt: madeAt,
      updatedAt: madeAt
    }))

/** Generates the end of a call, answered or not, at most two hours after {@link madeAt}. */
export const callEnd = (): fc.Arbitrary<CallEnd> => {
  const seconds = fc.integer({ min: 0, max: 3600 })
  const reason = fc.constantFrom("customer_ended_call", "silence", "error")
  const answered = fc.record({
    status: fc.constantFrom("completed", "failed", "cancelled"),
    reason,
    seconds,
    talk: seconds
  })
  const unanswered = fc.record({ status: fc.constantFrom("busy", "no_answer", "failed", "cancelled"), reason, seconds })
  return fc.oneof(
    answered.map(({ status, reason, seconds, talk }) => ({
      status,
      reason,
      answeredAt: DateTime.add(madeAt, { seconds }),
      endedAt: DateTime.add(madeAt, { seconds: seconds + talk })
    })),
    unanswered.map(({ status, reason, seconds }) => ({
      status,
      reason,
      answeredAt: null,
      endedAt: DateTime.add(madeAt, { seconds })
    }))
  )
}

/**
 * Generates the reports of a provider about one call, in the order in which it sends them. Each of them may be missing.
 *
 * They are consistent: a call that ends unanswered is never reported as answered. With `ended` the end is always there.
 */
export const providerReports = (
  options: { readonly ended?: boolean } = {}
): fc.Arbitrary<ReadonlyArray<ProviderReport>> =>
  callEnd().chain((end) => {
    const all: ReadonlyArray<ProviderReport> = [
      { _tag: "Ringing" },
      ...(end.answeredAt === null ? [] : [{ _tag: "Answered", at: end.answeredAt } as const]),
      { _tag: "Ended", ...end },
      { _tag: "Transcript", text: "Agent: Hello." },
      { _tag: "Recording", url: "https://recordings.example/1.wav" },
      { _tag: "Summary", text: "They said hello." },
      { _tag: "Cost", amount: Money.Money.make(12_345) }
    ]
    return fc
      .subarray([...all])
      .map((some) => (options.ended === true ? all.filter((one) => one._tag === "Ended" || some.includes(one)) : some))
  })

/** Generates the same items in any order, each once to three times. */
export const reordered = <A>(items: ReadonlyArray<A>): fc.Arbitrary<ReadonlyArray<A>> =>
  fc
    .array(fc.integer({ min: 1, max: 3 }), { minLength: items.length, maxLength: items.length })
    .map((counts) => items.flatMap((item, index) => Array.from({ length: counts[index] ?? 1 }, () => item)))
    .chain((repeated) => fc.shuffledSubarray(repeated, { minLength: repeated.length }))
