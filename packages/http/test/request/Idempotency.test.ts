import { createHash } from "node:crypto"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { Calls } from "@frontdesk/core/call/Calls"
import * as Money from "@frontdesk/core/values/Money"
import { FakeCallProvider, providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import { makeAgent } from "@frontdesk/testing/suite/Samples"
import { CurrentExecution } from "@frontdesk/core/idempotency/CurrentExecution"
import { Idempotency } from "@frontdesk/core/idempotency/Idempotency"
import { IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import type { HttpError } from "@frontdesk/http/HttpError"
import type { Answer, Exchange } from "@frontdesk/http/request/Exchange"
import { once } from "@frontdesk/http/request/IdempotentExecution"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Caller, event, makeTestApi, refusal, storages, type TestApi, idOf, textOf, like } from "../testApi.ts"

const create = "/api/v1/calendar/events/create"
const key = (value: string) => ({ "idempotency-key": value })

describe.each(storages)("Idempotency-Key, on %s", (storage) => {
  let api: TestApi
  let full: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
    full = await api.caller()
  })
  afterAll(() => api.close())

  const count = async () => (await full.get("/api/v1/calendar/events")).json["count"]

  it("a repeat gets the stored status and body with Idempotent-Replayed: true (D-IDEM-3)", async () => {
    const first = await full.post(create, event, key("replay"))
    const before = await count()
    const second = await full.post(create, event, key("replay"))
    expect([second.status, second.text]).toEqual([201, first.text])
    expect([first.headers.get("idempotent-replayed"), second.headers.get("idempotent-replayed")]).toEqual([
      null,
      "true"
    ])
    expect(second.headers.get("content-type")).toBe("application/json")
    expect(await count()).toBe(before)
  })

  it("another body under the same key gets 422 idempotency_key_reuse (D-ERR-11)", async () => {
    await full.post(create, event, key("reuse"))
    const answer = await full.post(create, { ...event, title: "Other" }, key("reuse"))
    expect(answer.status).toBe(422)
    expect(answer.json).toEqual(refusal("idempotency_key_reuse"))
  })

  it("a body that differs only in white space is another body", async () => {
    await full.post(create, JSON.stringify(event), key("bytes"))
    expect((await full.post(create, JSON.stringify(event, null, 1), key("bytes"))).status).toBe(422)
  })

  it.each([["a".repeat(256)], ["a b"], ["ä"], ["a/b"], [""]])(
    "the invalid key %j gets 400 invalid_parameter",
    async (value) => {
      const answer = await full.post(create, event, key(encodeURI(value).replaceAll("%20", " ")))
      expect(answer.status).toBe(400)
      expect(answer.json).toEqual(refusal("invalid_parameter", "Idempotency-Key"))
    }
  )

  it("a key of 255 characters of A-Z a-z 0-9 _ . : - is accepted (D-IDEM-1)", async () => {
    expect((await full.post(create, event, key(`Az09_.:-${"x".repeat(247)}`))).status).toBe(201)
  })

  it("the same key is independent for another account and for another path, but not for a trailing slash (D-IDEM-2)", async () => {
    const other = await api.caller()
    const first = await full.post(create, event, key("scope"))
    expect((await other.post(create, event, key("scope"))).json["id"]).not.toBe(first.json["id"])
    expect((await full.post("/api/v1/contacts/create", {}, key("scope"))).status).toBe(201)
    expect((await full.post(`${create}/`, event, key("scope"))).text).toBe(first.text)
  })

  it("the same path with another percent-encoding is a repeat, and a path with another id is not", async () => {
    const first = await full.post(create, event, key("escaped"))
    expect((await full.post("/api/v1/calendar/%65vents/cre%61te", event, key("escaped"))).text).toBe(first.text)
    const cancel = (id: string) => full.post(`/api/v1/calendar/events/${id}/cancel`, { reason: "x" }, key("cancel"))
    const id = idOf(first)
    expect((await cancel(String(id))).headers.get("idempotent-replayed")).toBeNull()
    expect((await cancel(String(id).replaceAll(/\d/g, "%3$&"))).headers.get("idempotent-replayed")).toBe("true")
    const other = idOf(await full.post(create, event))
    expect((await cancel(String(other))).headers.get("idempotent-replayed")).toBeNull()
  })

  it("the same operation under an alias of its path is a repeat (D-IDEM-2)", async () => {
    const webhook = { name: "CRM", url: "https://example.com/hook", subscribed_events: ["call.ended"] }
    const paths = ["/api/v1/webhooks/create", "/api/webhooks/create", "/api/v1/api/webhooks/create"]
    const ids = []
    for (const path of paths) ids.push((await full.post(path, webhook, key("alias"))).json["id"])
    expect(new Set(ids).size).toBe(1)
  })

  it("the same request with another API key of the account is a repeat", async () => {
    const colleague = await api.caller({ account: full.account })
    const first = await full.post(create, event, key("colleague"))
    expect((await colleague.post(create, event, key("colleague"))).text).toBe(first.text)
  })

  it("an error that commits nothing releases the key, so that the corrected request is executed", async () => {
    expect((await full.post(create, { ...event, title: 1 }, key("corrected"))).status).toBe(400)
    expect((await full.post(create, "{", key("corrected"))).status).toBe(400)
    expect((await full.post(create, { ...event, ai_agent_id: 99 }, key("corrected"))).status).toBe(404)
    expect((await full.post(create, event, key("corrected"))).status).toBe(201)
  })

  it("of five simultaneous requests one is executed, and the others get the same answer or 409 idempotency_in_progress", async () => {
    const before = Number(await count())
    const answers = await Promise.all(Array.from({ length: 5 }, () => full.post(create, event, key("race"))))
    expect(Number(await count())).toBe(before + 1)
    for (const answer of answers) {
      expect([201, 409]).toContain(answer.status)
      if (answer.status === 409) {
        expect(answer.json).toEqual(refusal("idempotency_in_progress"))
        expect(answer.headers.get("retry-after")).toBe("1")
      }
    }
  })

  it("the POST that creates, tests or deletes a webhook accepts a key (D-IDEM-1)", async () => {
    const webhook = { name: "x", url: "https://hooks.example.com", subscribed_events: ["call.ended"] }
    const first = await full.post("/api/v1/api/webhooks/create", webhook, key("hook"))
    expect((await full.post("/api/v1/api/webhooks/create", webhook, key("hook"))).json["id"]).toBe(first.json["id"])
    const id = textOf(first.json["id"])
    for (const action of ["test", "delete"]) {
      const path = `/api/v1/webhooks/${id}/${action}`
      const acted = await full.post(path, undefined, key("act"))
      expect(acted.status).toBe(200)
      expect((await full.post(path, undefined, key("act"))).text).toBe(acted.text)
    }
  })

  it("a replay of a created webhook or a rotated secret has null for the secret, a message about it, and all other fields", async () => {
    const webhook = { name: "x", url: "https://hooks.example.com", subscribed_events: ["call.ended"] }
    const created = await full.post("/api/v1/webhooks/create", webhook, key("secret"))
    const rotate = `/api/v1/webhooks/${textOf(created.json["id"])}/rotate-secret`
    const rotated = await full.post(rotate, {}, key("secret"))
    for (const [first, path, body] of [
      [created, "/api/v1/webhooks/create", webhook],
      [rotated, rotate, {}]
    ] as const) {
      expect(textOf(first.json["secret"])).not.toBe("")
      const replay = await full.post(path, body, key("secret"))
      expect([replay.status, replay.headers.get("idempotent-replayed")]).toEqual([first.status, "true"])
      expect(replay.json).toEqual({
        ...first.json,
        secret: null,
        message:
          "This is a replay of an earlier answer and does not contain the secret. Rotate the secret if it was lost"
      })
    }
  })

  it("a replay of an answer above 64 KiB has empty large fields and names them in truncated (D-IDEM-13)", async () => {
    const body = {
      first_name: "Jo",
      custom_context: { a: "x".repeat(40_000) },
      industry_context: { a: "x".repeat(40_000) }
    }
    const first = await full.post("/api/v1/contacts/create", body, key("large"))
    expect(first.json).toMatchObject(body)
    const replay = await full.post("/api/v1/contacts/create", body, key("large"))
    expect([replay.status, replay.headers.get("idempotent-replayed")]).toEqual([201, "true"])
    expect(replay.json).toEqual({
      ...first.json,
      custom_context: {},
      industry_context: {},
      truncated: ["custom_context", "industry_context"]
    })
    const whole = { first_name: "Jo", custom_context: { a: "x".repeat(40_000) } }
    const small = await full.post("/api/v1/contacts/create", whole, key("not large"))
    expect((await full.post("/api/v1/contacts/create", whole, key("not large"))).text).toBe(small.text)
  })

  it("other methods than POST ignore a key", async () => {
    const id = idOf(await full.post("/api/v1/contacts/create", {}))
    const path = `/api/v1/contacts/${id}/update`
    for (const first_name of ["Jo", "Li"]) {
      const answer = await full.ask(path, { method: "PATCH", body: { first_name }, headers: key("no good/key") })
      expect(answer.json["first_name"]).toBe(first_name)
    }
  })

  describe("for calls, where the call provider is asked", () => {
    const call = async () => {
      const agent = await api.run(makeAgent(full.account.id))
      return { phone_number: "+12025550111", agent_id: agent.id }
    }
    const provider = <A>(use: (fake: FakeCallProvider["Service"]) => Effect.Effect<A>) =>
      api.run(Effect.flatMap(FakeCallProvider, use))

    it("an invalid phone number does not use up the key", async () => {
      const body = await call()
      const refused = await full.post("/api/v1/calls", { ...body, phone_number: "12" }, key("number"))
      expect(refused.json).toEqual(refusal("invalid_phone_number", "phone_number"))
      expect((await full.post("/api/v1/calls", body, key("number"))).status).toBe(201)
    })

    it("a repeated start asks the provider once", async () => {
      const body = await call()
      const before = (await provider((fake) => fake.requests)).length
      const first = await full.post("/api/v1/calls", body, key("call"))
      const second = await full.post("/api/v1/calls", body, key("call"))
      expect([first.status, second.text]).toEqual([201, first.text])
      expect((await provider((fake) => fake.requests)).length).toBe(before + 1)
    })

    it("a start without sufficient funds releases its key (D-IDEM-6)", async () => {
      const poor = await api.caller({ settings: { pricePerMinute: Money.Money.make(Money.scale) } })
      const agent = await api.run(makeAgent(poor.account.id))
      const body = { phone_number: "+12025550111", agent_id: agent.id }
      const refused = await poor.post("/api/v1/calls", body, key("funds"))
      expect([refused.status, refused.json]).toEqual([402, refusal("insufficient_funds")])
      await api.run(
        Effect.flatMap(Accounts, (accounts) => accounts.deposit(poor.account.id, Money.Money.make(Money.scale)))
      )
      const started = await poor.post("/api/v1/calls", body, key("funds"))
      expect([started.status, started.headers.get("idempotent-replayed")]).toEqual([201, null])
      expect((await poor.post("/api/v1/calls", body, key("funds"))).text).toBe(started.text)
    })

    it("a start above the limit of running calls releases its key", async () => {
      const busy = await api.caller({ settings: { maxRunningCalls: 1 } })
      const agent = await api.run(makeAgent(busy.account.id))
      const body = { phone_number: "+12025550111", agent_id: agent.id }
      const first = await busy.post("/api/v1/calls", body)
      const refused = await busy.post("/api/v1/calls", body, key("limit"))
      expect([refused.status, refused.json]).toEqual([429, refusal("concurrency_limit_reached")])
      await api.run(
        Effect.flatMap(Calls, (calls) =>
          calls.applyReport({
            providerCallId: providerCallId(textOf(first.json["call_id"])),
            ref: textOf(first.json["call_id"]),
            report: {
              _tag: "Ended",
              status: "busy",
              answeredAt: null,
              endedAt: DateTime.makeUnsafe(0),
              reason: "busy"
            }
          })
        )
      )
      expect((await busy.post("/api/v1/calls", body, key("limit"))).status).toBe(201)
    })

    it("a hang-up that the provider does not confirm releases its key (D-IDEM-8)", async () => {
      const id = idOf(await full.post("/api/v1/calls", await call()))
      await provider((fake) => fake.hangUpWith(() => ({ _tag: "Unknown", cause: "no route" })))
      const refused = await full.post(`/api/v1/calls/${id}/hang-up`, undefined, key("hang-up"))
      expect([refused.status, refused.json]).toEqual([503, refusal("provider_unavailable")])
      await provider((fake) => fake.hangUpWith(() => ({ _tag: "Ended" })))
      const hungUp = await full.post(`/api/v1/calls/${id}/hang-up`, undefined, key("hang-up"))
      expect([hungUp.status, hungUp.headers.get("idempotent-replayed")]).toEqual([200, null])
      const again = await full.post(`/api/v1/calls/${id}/hang-up`, undefined, key("hang-up"))
      expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([hungUp.text, "true"])
    })

    it("a start that the provider refuses stores the refusal as its answer", async () => {
      const body = await call()
      await provider((fake) =>
        fake.answerWith(() => ({ _tag: "Refused", code: "blocked", reason: "internal words", retryable: false }))
      )
      const first = await full.post("/api/v1/calls", body, key("refused"))
      await provider((fake) => fake.answerWith(({ ref }) => ({ _tag: "Accepted", providerCallId: ref })))
      const second = await full.post("/api/v1/calls", body, key("refused"))
      expect(first.status).toBe(502)
      expect(first.json).toEqual(refusal("provider_error"))
      expect(first.text).not.toContain("internal words")
      expect([second.status, second.text, second.headers.get("idempotent-replayed")]).toEqual([502, first.text, "true"])
    })

    it("a repeat of a start whose answer was lost gets the committed call, and the provider is asked once", async () => {
      const body = JSON.stringify(await call())
      let settle = () => {}
      const settled = new Promise<void>((resolve) => (settle = resolve))
      await provider((fake) =>
        fake.answerWith(({ ref }) =>
          Effect.as(
            Effect.promise(() => settled),
            { _tag: "Refused", code: "late", reason: ref, retryable: false } as const
          )
        )
      )
      const before = (await provider((fake) => fake.requests)).length
      const first = full.post("/api/v1/calls", body, key("lost"))
      await expect.poll(async () => (await provider((fake) => fake.requests)).length).toBe(before + 1)
      const early = await full.post("/api/v1/calls", body, key("lost"))
      expect([early.status, early.json]).toEqual([409, refusal("idempotency_in_progress")])
      // A minute later the key may be claimed again. The call is committed, so that claim finds its stored answer
      // (D-IDEM-7).
      const scope = { accountId: full.account.id, method: "POST", path: "/api/v1/calls", key: "lost" }
      const fingerprint = createHash("sha256").update(body).digest("hex")
      const state = await api.run(
        Effect.gen(function* () {
          const now = yield* DateTime.now
          const times = { now, expiresAt: now, takeOverBefore: DateTime.add(now, { minutes: 1 }) }
          return yield* (yield* IdempotencyStore).begin(scope, fingerprint, times)
        })
      )
      expect(state._tag).toBe("Answered")
      const repeat = await full.post("/api/v1/calls", body, key("lost"))
      expect([repeat.status, repeat.headers.get("idempotent-replayed")]).toEqual([201, "true"])
      expect(repeat.json).toMatchObject({ status: "queued", message: "Call queued", unresolved_variables: [] })
      expect((await full.get(`/api/v1/calls/${textOf(repeat.json["call_id"])}`)).json["id"]).toBe(repeat.json["id"])
      settle()
      expect((await first).status).toBe(502)
      expect((await full.post("/api/v1/calls", body, key("lost"))).text).toBe(repeat.text)
      expect((await provider((fake) => fake.requests)).length).toBe(before + 1)
      await provider((fake) => fake.answerWith(({ ref }) => ({ _tag: "Accepted", providerCallId: ref })))
    })

    it("a defect after a commit is stored as server_error without its cause, and one before a commit releases the key", async () => {
      const scope = { accountId: full.account.id, method: "POST", path: "/x", key: "broken" }
      const attempt = (name: string, atomic: boolean, answer: Effect.Effect<Answer, HttpError>) =>
        api.run(
          Effect.flatMap(Idempotency, (idempotency) => {
            const exchange: Exchange = { requestId: "x", operation: "calls.start", headers: {}, turn: Effect.void }
            const named = { ...scope, key: `${scope.key}.${name}` }
            return Effect.exit(
              once(exchange, idempotency, { scope: named, requestHash: "x" }, { atomic, secrets: [] }, answer)
            )
          })
        )
      const broken = Effect.die(new Error("internal words"))
      const committed = Effect.flatMap(CurrentExecution, ({ record }) => record(null))
      const succeeded = Effect.succeed({ status: 201, body: "{}" })
      const first = await attempt("committed", false, Effect.andThen(committed, broken))
      expect(first).toEqual(Exit.succeed({ status: 500, body: like(/^\{"error":"server_error"/) }))
      expect(JSON.stringify(first)).not.toContain("internal words")
      expect(await attempt("committed", false, succeeded)).toEqual(first)
      // A request that has committed nothing is executed again at the next attempt.
      for (const atomic of [true, false]) {
        expect(Exit.isFailure(await attempt(`${atomic}`, atomic, broken))).toBe(true)
        expect(await attempt(`${atomic}`, atomic, succeeded)).toEqual(Exit.succeed({ status: 201, body: "{}" }))
      }
    })
  })
})
