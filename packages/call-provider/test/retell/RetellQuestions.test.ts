import { CallProvider, type InboundDecision, type Ingested } from "@frontdesk/core/call/CallProvider"
import * as FakeRetell from "@frontdesk/provider-fakes/retell/FakeRetell"
import * as Service from "@frontdesk/provider-fakes/Service"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { command, retell } from "../providerSetup.ts"

const dispose = (server: AsyncDisposable) => Effect.promise(() => server[Symbol.asyncDispose]())

const post = async (url: string, input: object): Promise<unknown> =>
  (await fetch(url, { method: "POST", body: JSON.stringify(input) })).json()

/** Opens the fake, and a server that reads its requests with the adapter and answers questions. */
const open = Effect.fnUntraced(function* (decision: InboundDecision) {
  const fake = yield* Effect.acquireRelease(
    Effect.promise(() => FakeRetell.open()),
    dispose
  )
  const read: Array<Ingested> = []
  const adapter: { ingest?: CallProvider["Service"]["ingest"] } = {}
  const server = yield* Effect.acquireRelease(
    Effect.promise(() =>
      Service.open(0, async ({ body, headers, method, url }) => {
        const callback = { method, url: url.href, headers, body: new TextEncoder().encode(body) }
        const result = adapter.ingest?.(callback, DateTime.makeUnsafe(fake.now())) ?? { _tag: "BadSignature" }
        read.push(result)
        if (result._tag === "Reported") return { status: 200, body: "" }
        if (result._tag !== "Asked") return { status: 403, body: "" }
        const { question } = result
        return {
          status: 200,
          body: question._tag === "InboundCall" ? question.bodyOf(decision).text : '{"say":"Booked."}'
        }
      })
    ),
    dispose
  )
  const provider = yield* Effect.provide(CallProvider, retell(fake.url, new URL(server.url)))
  adapter.ingest = provider.ingest
  const control = (path: "inbound" | "function", input: object) => {
    const url = `${server.url}/providers/retell/${path === "inbound" ? "inbound" : "functions"}`
    return Effect.promise(() => post(`${fake.url}/_sim/${path}`, { ...input, url }))
  }
  return { control, fake, provider, read }
})

const from = "+12025550111"
const to = "+12025550100"

const accepted = {
  _tag: "Accepted",
  ref: "call_ref",
  assistantId: "agent_ada",
  variables: { first_name: "Jo" },
  maxDurationSeconds: 600
} as const

describe("the questions of Retell", () => {
  it.effect("an accepted inbound call is reported with its numbers and our reference, and can be fetched", () =>
    Effect.gen(function* () {
      const { control, fake, provider, read } = yield* open(accepted)
      yield* control("inbound", { from, to })
      yield* Effect.promise(() => fake.advance(120_000))
      expect(read[0]).toMatchObject({ _tag: "Asked", question: { providerCallId: null, numbers: { from, to } } })
      const reports = read.flatMap((result) => (result._tag === "Reported" ? result.reports : []))
      expect(reports.map(({ report }) => report._tag)).toContain("Ended")
      for (const report of reports) expect(report).toMatchObject({ ref: "call_ref", inbound: { from, to } })
      const known = { ref: "call_ref", to: command(to).to, createdAt: DateTime.makeUnsafe(fake.now()) }
      const { providerCallId = "" } = reports[0] ?? {}
      expect(yield* provider.fetch({ ...known, providerCallId: null })).toMatchObject({ _tag: "Known", providerCallId })
      const found = yield* provider.fetch({ ...known, providerCallId })
      const reported = reports.map(({ report }) => report)
      expect(found._tag === "Known" ? found.reports : []).toEqual(expect.arrayContaining(reported))
    })
  )

  it.effect("an inbound call lasts at most its maximum duration, and can be hung up before", () =>
    Effect.gen(function* () {
      const { control, fake, provider } = yield* open({ ...accepted, maxDurationSeconds: 60 })
      fake.script(from, { talkSeconds: 600 })
      const known = { ref: "call_ref", to: command(to).to, createdAt: DateTime.makeUnsafe(fake.now()) }
      const call = { ...known, providerCallId: null }
      yield* control("inbound", { from, to })
      yield* Effect.promise(() => fake.advance(60_000))
      const [, ended] = yield* Effect.map(provider.fetch(call), (found) =>
        found._tag === "Known" ? found.reports : []
      )
      if (ended?._tag !== "Ended" || ended.answeredAt === null) throw new Error("the call has not ended")
      expect(DateTime.distance(ended.answeredAt, ended.endedAt)).toEqual(Duration.minutes(1))

      yield* control("inbound", { from, to })
      yield* Effect.promise(() => fake.advance(59_000))
      expect(yield* provider.hangUp(call)).toEqual({ _tag: "Ended" })
      expect(yield* provider.hangUp(call)).toEqual({ _tag: "AlreadyOver" })
    })
  )

  it.effect("a refused inbound call is rejected, so Retell creates no call", () =>
    Effect.gen(function* () {
      const { control } = yield* open({ _tag: "Refused", say: "Goodbye." })
      expect(yield* control("inbound", { from, to })).toEqual({
        answer: { status: 200, contentType: "application/json", body: '{"call_inbound":{}}' },
        callId: null
      })
    })
  )

  it.effect("a custom function asks for tools of the call, and its answer reaches Retell", () =>
    Effect.gen(function* () {
      const { control, provider, read } = yield* open(accepted)
      const answer = yield* provider.start(command(from))
      const callId = answer._tag === "Accepted" ? answer.providerCallId : ""
      const args = { slot_id: "s1" }
      expect(yield* control("function", { callId, name: "book", args })).toEqual({
        answer: { status: 200, contentType: "application/json", body: '{"say":"Booked."}' }
      })
      expect(read).toMatchObject([
        {
          _tag: "Asked",
          question: {
            _tag: "ToolCalls",
            call: { providerCallId: callId, ref: command(from).ref },
            message: { name: "book", args, call: { call_id: callId } }
          }
        }
      ])
    })
  )
})
