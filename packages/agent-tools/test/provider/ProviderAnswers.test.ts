import { English, ProviderAnswers } from "@frontdesk/agent-tools"
import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import type { ProviderCall, ProviderQuestion } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { FaultInjection } from "@frontdesk/testing/FaultInjection"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { makeAccount, makeCall, numbers, services } from "../runner/calls.ts"

const test = <A, E>(name: string, effect: Effect.Effect<A, E, Layer.Success<typeof services>>) =>
  it.effect(name, () => Effect.provide(effect, services))

const inbound = { from: numbers.first, to: numbers.agent }

const inboundQuestion = (to: PhoneNumber = numbers.agent): ProviderQuestion => ({
  _tag: "InboundCall",
  providerCallId: "p-1",
  numbers: { from: numbers.first, to },
  bodyOf: (decision) => ({ contentType: "text/plain", text: JSON.stringify(decision) })
})

const parseJson = (text: string): unknown => JSON.parse(text)

const decodeResults = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      results: Schema.Array(
        Schema.Struct({ result: Schema.optionalKey(Schema.String), error: Schema.optionalKey(Schema.String) })
      )
    })
  )
)

const ask = Effect.fnUntraced(function* (question: ProviderQuestion) {
  const answer = yield* ProviderAnswers.make
  return yield* answer(question)
})

/** Returns the decision about an inbound call. */
const decide = (question: ProviderQuestion = inboundQuestion()) =>
  Effect.map(ask(question), ({ text }) => parseJson(text))

const toolCalls = (call: ProviderCall, name = "get_context"): ProviderQuestion => ({
  _tag: "ToolCalls",
  call,
  message: {
    message: {
      type: "tool-calls",
      call: { id: call.providerCallId },
      toolCallList: [{ id: "tc_1", name, arguments: {} }]
    }
  }
})

/** Returns the answer of the only tool call, from the body as Vapi reads it. */
const vapiAnswer = (question: ProviderQuestion) =>
  Effect.map(ask(question), ({ text }) => {
    const [result] = decodeResults(text).results
    return parseJson(result?.result ?? result?.error ?? "")
  })

describe("the question who answers an inbound call", () => {
  test(
    "is answered with the assistant, our reference, the variables and the longest duration",
    Effect.gen(function* () {
      const { account, agent } = yield* makeAccount({ inboundContacts: "create" })
      const decision = yield* decide()
      const [call] = (yield* Effect.provideService(
        (yield* Calls).list({}, { page: 1, limit: 10 }),
        Principal,
        ofAccount(account)
      )).items
      expect(decision).toEqual({
        _tag: "Accepted",
        ref: call?.callId,
        assistantId: agent.assistantId,
        variables: {},
        maxDurationSeconds: 3600
      })
    })
  )

  test(
    "is answered with a sentence that names no reason, when the account cannot take the call",
    Effect.gen(function* () {
      const of = yield* makeAccount({ maxRunningCalls: 1 })
      yield* makeCall(of)
      expect(yield* decide()).toEqual({ _tag: "Refused", say: English.english.lineBusy })
      expect(yield* decide(inboundQuestion(PhoneNumber.make("+12025550199")))).toEqual({
        _tag: "Refused",
        say: English.english.unknownNumber
      })
    })
  )

  test(
    "is refused with a sentence when the storage does not answer within two seconds, or fails",
    Effect.gen(function* () {
      yield* makeAccount()
      const faults = yield* FaultInjection
      yield* faults.set("Transaction.run", { fault: "hang", after: 0, times: 1 })
      const asked = yield* Effect.forkChild(decide(), { startImmediately: true })
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(asked)).toEqual({ _tag: "Refused", say: English.english.lineBusy })
      yield* faults.set("Transaction.run", { fault: "fail", after: 0, times: 1 })
      expect(yield* decide()).toEqual({ _tag: "Refused", say: English.english.lineBusy })
      yield* faults.clear
      expect(yield* decide()).toMatchObject({ _tag: "Accepted" })
    })
  )
})

describe("the tool calls of a provider", () => {
  test(
    "act in the call that our reference or the provider's id names",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { call } = yield* makeCall(of, { providerCallId: "p-7" }, { firstName: "Jo" })
      const known = { contact: { first_name: "Jo" } }
      expect(yield* vapiAnswer(toolCalls({ providerCallId: "p-7", ref: null }))).toMatchObject(known)
      expect(yield* vapiAnswer(toolCalls({ providerCallId: "p-7", ref: call.callId }))).toMatchObject(known)
    })
  )

  test(
    "with a reference of another call, or without a known call, are answered with a refusal",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { call } = yield* makeCall(of, { providerCallId: "p-7" }, { firstName: "Jo" })
      const refused = { say: English.english.notAllowed, error: "unknown_call" }
      expect(yield* vapiAnswer(toolCalls({ providerCallId: "p-8", ref: call.callId }))).toEqual(refused)
      expect(yield* vapiAnswer(toolCalls({ providerCallId: "p-8", ref: null }))).toEqual(refused)
      expect(yield* vapiAnswer(toolCalls({ providerCallId: "\0", ref: null }))).toEqual(refused)
    })
  )

  test(
    "store an inbound call that no report has named yet",
    Effect.gen(function* () {
      const { account } = yield* makeAccount()
      yield* vapiAnswer(toolCalls({ providerCallId: "p-9", ref: null, inbound }, "opt_out"))
      const { items } = yield* Effect.provideService(
        (yield* Calls).list({}, { page: 1, limit: 10 }),
        Principal,
        ofAccount(account)
      )
      expect(items).toMatchObject([{ type: "inbound", providerCallId: "p-9", phoneNumber: numbers.first }])
    })
  )

  test(
    "are answered for two minutes after the end of the call",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { call } = yield* makeCall(of, { providerCallId: "p-7" })
      const report = { _tag: "Ended", status: "completed", answeredAt: call.createdAt, reason: "done" } as const
      const { applyReport } = yield* Calls
      yield* applyReport({ providerCallId: "p-7", ref: null, report: { ...report, endedAt: yield* DateTime.now } })
      const question = toolCalls({ providerCallId: "p-7", ref: null })
      yield* TestClock.adjust("2 minutes")
      expect(yield* vapiAnswer(question)).toMatchObject({ time_zone: "America/New_York" })
      yield* TestClock.adjust("1 second")
      expect(yield* vapiAnswer(question)).toMatchObject({ error: "unknown_call" })
    })
  )

  test(
    "of Retell are answered with one line of JSON",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      yield* makeCall(of, { providerCallId: "p-7" }, { firstName: "Jo" })
      const message = { name: "get_context", args: {}, call: { call_id: "p-7" } }
      const { contentType, text } = yield* ask({
        _tag: "ToolCalls",
        call: { providerCallId: "p-7", ref: null },
        message
      })
      expect(contentType).toBe("application/json")
      expect(text).toMatch(/^\{"say":"It is .*\}$/)
      expect(parseJson(text)).toMatchObject({ contact: { first_name: "Jo" } })
    })
  )

  test(
    "that cannot be read are answered with a sentence",
    Effect.gen(function* () {
      const call = { providerCallId: "p-7", ref: null }
      const { text } = yield* ask({ _tag: "ToolCalls", call, message: 1 })
      expect(parseJson(text)).toEqual({ say: English.english.serverError, error: "server_error" })
    })
  )

  test(
    "speak after two seconds when the storage hangs",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      yield* makeCall(of, { providerCallId: "p-7" })
      yield* (yield* FaultInjection).set("CallStore.findAnywhere", { fault: "hang", after: 0, times: 1 })
      const question = toolCalls({ providerCallId: "p-7", ref: null })
      const asked = yield* Effect.forkChild(vapiAnswer(question), { startImmediately: true })
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(asked)).toEqual({ say: English.english.timeout, error: "timeout" })
    })
  )
})
