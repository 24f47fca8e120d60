import { CallProvider, type InboundDecision, type Ingested } from "@frontdesk/core/call/CallProvider"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Service from "@frontdesk/provider-fakes/Service"
import * as FakeTwilio from "@frontdesk/provider-fakes/twilio/FakeTwilio"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { twilio } from "../providerSetup.ts"

const [person, agent] = ["+12025550111", "+12025550100"]

const accepted: InboundDecision = {
  _tag: "Accepted",
  ref: "call_1",
  assistantId: "asst_ada",
  variables: {},
  maxDurationSeconds: 600
}

const decodeAnswer = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ sid: Schema.String, error: Schema.NullOr(Schema.String) }))
)

/** Lets a person call the number of an agent. Returns the SID, and Twilio's error about the TwiML. */
const callAgent = async (fakeUrl: string, given: object) => {
  const answer = await fetch(`${fakeUrl}/_sim/inbound`, { method: "POST", body: JSON.stringify(given) })
  return decodeAnswer(await answer.text())
}

/** Opens a resource that closes with the scope. */
const opened = <A extends AsyncDisposable>(open: () => Promise<A>) =>
  Effect.acquireRelease(Effect.promise(open), (resource) => Effect.promise(() => resource[Symbol.asyncDispose]()))

/** Opens a fake of Twilio, and a server that reads its requests with the adapter and gives one decision. */
const setUp = Effect.fnUntraced(function* (decision: InboundDecision) {
  const fake = yield* opened(() => FakeTwilio.open())
  const provider = yield* CallProvider.pipe(Effect.provide(twilio(fake.url)))
  const ingested: Array<Ingested> = []
  const server: Service.Service = yield* opened(() =>
    Service.open(0, async ({ body, headers, method, url }) => {
      const bytes = new TextEncoder().encode(body)
      const callback = { method, url: server.url + url.pathname + url.search, headers, body: bytes }
      const read = provider.ingest(callback, DateTime.makeUnsafe(fake.now()))
      ingested.push(read)
      if (read._tag !== "Asked" || read.question._tag !== "InboundCall") return { status: 204, body: "" }
      const { contentType, text } = read.question.bodyOf(decision)
      return { status: 200, headers: { "content-type": contentType }, body: text }
    })
  )
  const paths = `${server.url}/providers/twilio`
  const urls = { voiceUrl: `${paths}/inbound`, statusUrl: `${paths}/callbacks#rc=3&rp=5xx,ct,rt` }
  const known = (sid: string) => ({
    ref: "call_1",
    providerCallId: sid,
    to: PhoneNumber.make(agent),
    createdAt: DateTime.makeUnsafe(fake.now())
  })
  const pass = (seconds: number) => Effect.promise(() => fake.advance(seconds * 1_000))
  return {
    call: (from: string) => Effect.promise(() => callAgent(fake.url, { from, to: agent, ...urls })),
    /** Everything that the adapter has read, oldest first. */
    ingested,
    pass,
    /** The status with which the last POST to the API ended a call. */
    lastStatus: () =>
      new URLSearchParams(
        fake.requests.findLast(({ method, url }) => method === "POST" && url.pathname.startsWith("/2010"))?.body
      ).get("Status"),
    fetch: (sid: string) => provider.fetch(known(sid)),
    hangUp: (sid: string) => provider.hangUp(known(sid))
  }
})

describe("an inbound call at Twilio", () => {
  it.effect("is asked about, answered, and reported with its numbers, as a fetch reports it", () =>
    Effect.gen(function* () {
      const { call, fetch, ingested, pass } = yield* setUp(accepted)
      const { error, sid } = yield* call(person)
      expect(error).toBeNull()
      const numbers = { from: person, to: agent }
      expect(ingested).toMatchObject([{ _tag: "Asked", question: { providerCallId: sid, numbers } }])
      expect(yield* fetch(sid)).toEqual({ _tag: "Known", providerCallId: sid, reports: [{ _tag: "Ringing" }] })
      yield* pass(1)
      expect(yield* fetch(sid)).toMatchObject({ reports: [{ _tag: "Ringing" }, { _tag: "Answered" }] })
      yield* pass(60)
      const [, ended, ...more] = ingested
      expect(more).toEqual([])
      expect(ended).toMatchObject({
        _tag: "Reported",
        reports: [{ providerCallId: sid, ref: null, inbound: numbers, report: { _tag: "Ended", status: "completed" } }]
      })
      const snapshot = yield* fetch(sid)
      const end = ended?._tag === "Reported" ? ended.reports[0]?.report : undefined
      expect(snapshot._tag === "Known" ? snapshot.reports : []).toContainEqual(end)
    })
  )

  it.effect("ends after the sentence of a refusal, and has no number of a person who withholds it", () =>
    Effect.gen(function* () {
      const { call, ingested, pass } = yield* setUp({ _tag: "Refused", say: "We are closed & asleep <now>." })
      const { error } = yield* call("anonymous")
      expect(error).toBeNull()
      yield* pass(10)
      const numbers = { from: null, to: agent }
      expect(ingested).toMatchObject([
        { _tag: "Asked", question: { numbers } },
        { _tag: "Reported", reports: [{ inbound: numbers, report: { _tag: "Ended" } }] }
      ])
    })
  )

  it.effect.each([0, 5])("is hung up with the status completed %i seconds after it began", (seconds) =>
    Effect.gen(function* () {
      const { call, fetch, hangUp, lastStatus, pass } = yield* setUp(accepted)
      const { sid } = yield* call(person)
      if (seconds > 0) yield* pass(seconds)
      expect(yield* hangUp(sid)).toEqual({ _tag: "Ended" })
      expect(lastStatus()).toBe("completed")
      expect(yield* hangUp(sid)).toEqual({ _tag: "AlreadyOver" })
      expect(yield* fetch(sid)).toMatchObject({ _tag: "Known" })
    })
  )
})
