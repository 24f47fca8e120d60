import { makeAgent } from "@frontdesk/testing/suite/Samples"
import { codePoint } from "@frontdesk/testing/arbitrary/text"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { normalise } from "./linkedAccounts.ts"
import {
  type TestAnswer,
  type RequestOptions,
  type Caller,
  idOf,
  makeTestApi,
  rowsOf,
  storages,
  type TestApi
} from "./testApi.ts"

/** Returns a text of characters with three bytes each, in an order that cannot be compressed. */
const incompressible = (seed: number, length: number): string => {
  let state = seed + 1
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return String.fromCharCode(0x4e00 + ((state >> 8) % 20_000))
  }).join("")
}

const oddTexts = ["", " ", "%", "_", "\\", "\\u0000", "'", '"', "Zoe\u0308", "👩‍👩‍👧‍👦", "\u0000", "\r\n", "null", "$1 ?1"]

/** Draws texts: some that a database cannot store, and some that every database must store. */
const text = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      { weight: 3, arbitrary: fc.string({ unit: codePoint, maxLength: 20 }) },
      { weight: 2, arbitrary: fc.string({ maxLength: 20 }) },
      { weight: 2, arbitrary: fc.constantFrom(...oddTexts) },
      fc.string({ unit: fc.constantFrom("a", "\0", "\ud83d", "\ude00", "\uffff", "\u2028", "İ", "ß"), maxLength: 6 }),
      fc.integer({ min: 0, max: 0xffff }).map((seed) => incompressible(seed, maxLength))
    )
    .map((value) => value.slice(0, maxLength))

const key = fc.oneof(
  text(20),
  fc.constantFrom("__proto__", "constructor", "2", "10", "b", "a", "id", "created_at", "toJSON")
)

/** Draws JSON values with texts and numbers that are difficult to store. */
const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text(50),
    fc.constantFrom(null, true, false, -0, 0.1, 1e300, 5e-324, 2 ** 53, -(2 ** 63), 1e21),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 3 }).map(Object.fromEntries)
  )
})).value

const context: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc
  .array(fc.tuple(key, json), { maxLength: 5 })
  .map((entries) => Object.fromEntries<unknown>(entries))

const some = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined })

const contact = fc.record({
  first_name: some(text(100)),
  last_name: some(text(100)),
  email: some(fc.constantFrom("jo@example.com", `${"é".repeat(64)}@${"ü".repeat(60)}.${"ö".repeat(60)}.com`, "\0@x.y")),
  company: some(text(200)),
  address: some(text(500)),
  zip_code: some(text(20)),
  status: some(text(50)),
  stage: some(text(50)),
  tags: some(fc.array(text(100), { maxLength: 3 })),
  phone_numbers: some(fc.array(fc.record({ phone_number: fc.constant("+12025550111"), phone_type: text(50) }))),
  custom_context: some(context),
  industry_context: some(context)
})

const time = fc.oneof(
  fc.constantFrom(
    "0000-01-01T00:00:00Z",
    "0000-12-31T23:59:59.999Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999Z"
  ),
  fc
    .date({ noInvalidDate: true, min: new Date(-62_167_219_200_000), max: new Date(253_402_300_799_999) })
    .map((date) => date.toISOString().replace(/^\+0/, ""))
)

const event = fc.record({
  title: text(255),
  times: fc.tuple(time, time).map((both) => both.toSorted()),
  description: some(text(10_000)),
  location: some(text(1_000)),
  customer_name: some(text(255)),
  customer_email: some(fc.constantFrom("", "Jo@example.com", `${"x".repeat(64)}@example.com`)),
  customer_phone: some(text(50)),
  customer_notes: some(text(10_000)),
  video_conference_provider: some(text(100)),
  remind_before_minutes: some(fc.constantFrom(0, 1.5, 40_320, 2 ** 53, -1))
})

const query = fc.record({ search: text(30), tag: text(30), status: text(30), stage: text(30) }, { requiredKeys: [] })

const dates = fc.constantFrom("0000-01-01", "0001-01-01", "2026-03-08", "9999-12-31")

const timeout = 60_000

describe("requests on all storages", () => {
  const apis: Array<{ readonly api: TestApi; readonly caller: Caller; readonly names: Map<string, string> }> = []
  beforeAll(async () => {
    for (const storage of storages) {
      const api = await makeTestApi(storage)
      apis.push({ api, caller: await api.caller({ balance: 100_000 }), names: new Map() })
    }
  })
  afterAll(() => Promise.all(apis.map(({ api }) => api.close())))

  /**
   * Sends a request to the API on each storage, checks that the answers are equal, and returns them. `ids` has the id of
   * a record on each storage, for the path.
   */
  const ask = async (path: (id: number) => string, asked: RequestOptions, ids: ReadonlyArray<number> = []) => {
    const answers: Array<TestAnswer> = []
    // Records of two kinds may have the same id on one storage and not on another, because a transaction that ran again
    // leaves a gap.
    const group = path(0).split(/[/?]/)[3] ?? ""
    for (const [index, { caller }] of apis.entries()) answers.push(await caller.ask(path(ids[index] ?? 0), asked))
    const shown = answers.map(({ json, status }, index) => [
      status,
      normalise(apis[index]?.names ?? new Map<string, string>(), json, group)
    ])
    for (const other of shown) expect(other).toEqual(shown[0])
    expect(shown[0]?.[0]).toBeLessThan(500)
    return { answers, status: answers[0]?.status, ids: answers.map(idOf) }
  }

  const expectStored = (row: TestAnswer["json"] | undefined, sent: Readonly<Record<string, unknown>>) => {
    const pick = (from: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(
        Object.entries(sent).flatMap(([name, value]) => (value === undefined ? [] : [[name, from[name]]]))
      )
    // Compared as text, so that the order of keys must be equal too.
    expect(JSON.stringify(pick(row ?? {}))).toBe(JSON.stringify(pick(sent)))
  }

  it("law: a contact is rejected, or returned as it was sent", { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(contact, async (body) => {
        const made = await ask(() => "/api/v1/contacts/create", { method: "POST", body })
        if (made.status !== 201) return
        const { phone_numbers: _numbers, tags: _tags, ...plain } = body
        const read = await ask((id) => `/api/v1/contacts/${id}`, {}, made.ids)
        for (const answer of read.answers) expectStored(answer.json, plain)
        await ask(
          (id) => `/api/v1/contacts/${id}/update`,
          { method: "PATCH", body: { custom_context: { more: 1 } } },
          made.ids
        )
      }),
      { numRuns: 60, endOnFailure: true }
    )
  })

  it("law: every query of contacts has the same answer on all storages", { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        await ask(() => `/api/v1/contacts?${new URLSearchParams(asked).toString()}`, {})
      }),
      { numRuns: 60, endOnFailure: true }
    )
  })

  it(
    "law: a calendar event is rejected, or returned as it was sent, and each storage finds the same ones",
    { timeout },
    async () => {
      await fc.assert(
        fc.asyncProperty(event, dates, dates, async ({ times: [start_time, end_time], ...fields }, from, until) => {
          const body = { ...fields, start_time, end_time, reject_conflicts: fields.title.length % 2 === 0 }
          const made = await ask(() => "/api/v1/calendar/events/create", { method: "POST", body })
          if (made.status === 201) {
            const { customer_email: _email, customer_name, customer_notes, customer_phone, ...plain } = fields
            const read = await ask((id) => `/api/v1/calendar/events/${id}`, {}, made.ids)
            for (const { json } of read.answers) {
              expectStored(json, plain)
              expect(json["customer"]).toMatchObject({
                name: customer_name ?? "",
                phone: customer_phone ?? "",
                notes: customer_notes ?? ""
              })
            }
          }
          await ask(() => `/api/v1/calendar/events?start_date=${from}&end_date=${until}&limit=100`, {})
          await ask(() => `/api/v1/calendar/availability?start_date=${from}&end_date=${from}`, {})
          const email = new URLSearchParams({ customer_email: fields.title }).toString()
          await ask(() => `/api/v1/calendar/events?${email}`, {})
        }),
        { numRuns: 60, endOnFailure: true }
      )
    }
  )

  it(
    "law: a definition and a webhook are rejected, or returned as they were sent, and business values get equal answers",
    { timeout },
    async () => {
      let names = 0
      await fc.assert(
        fc.asyncProperty(text(200), text(1_000), json, async (name, description, value) => {
          names += 1
          const variable = {
            name: `v_${names}`,
            display_name: name,
            description,
            variable_type: "select",
            context_type: "business",
            select_options: [name, "b", "a"]
          }
          const defined = await ask(() => "/api/v1/context-variables/create", { method: "POST", body: variable })
          const listed = await ask(() => "/api/v1/context-variables?context_type=business", {})
          if (defined.status === 201) {
            for (const [index, answer] of listed.answers.entries()) {
              const row = rowsOf(answer, "variables").find(({ id }) => id === defined.ids[index])
              expectStored(row, variable)
            }
          }
          const body = {
            variables: { [`v_${names}`]: value, [`w_${names}`]: value, [name]: value },
            auto_create_variables: true
          }
          await ask(() => "/api/v1/business/context", { method: "POST", body })
          const hook = { name, url: `https://example.com/${description}`, subscribed_events: ["call.ended"] }
          const hooked = await ask(() => "/api/v1/webhooks/create", { method: "POST", body: hook })
          if (hooked.status === 201) for (const answer of hooked.answers) expectStored(answer.json, hook)
        }),
        { numRuns: 40, endOnFailure: true }
      )
    }
  )

  it("law: a call is rejected, or returned with the metadata that was sent", { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(context, text(1_000), text(300), async (metadata, value, callId) => {
        const answers: Array<TestAnswer> = []
        for (const { api } of apis) {
          // Each call has its own account, because the number of running calls of an account is limited.
          const caller = await api.caller({ balance: 100 })
          const agent = await api.run(makeAgent(caller.account.id))
          const call = { phone_number: "+12025550111", agent_id: agent.id, metadata, variables: { a: value } }
          answers.push(await caller.post("/api/v1/calls", call))
        }
        const statuses = answers.map(({ status }) => status)
        expect(statuses).toEqual(statuses.map(() => statuses[0]))
        expect(statuses[0]).toBeOneOf([201, 400])
        for (const answer of answers) if (answer.status === 201) expectStored(answer.json, { metadata })
        // A text with half a surrogate pair cannot be a part of a URL.
        if (callId.isWellFormed()) await ask(() => `/api/v1/calls/${encodeURIComponent(callId)}x`, {})
      }),
      { numRuns: 20, endOnFailure: true }
    )
  })
})
