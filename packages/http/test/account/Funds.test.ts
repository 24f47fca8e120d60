import { FundMovementStore } from "@frontdesk/core/access/FundMovementStore"
import { defaultSettings } from "@frontdesk/core/account/Accounts"
import { Money } from "@frontdesk/core/values/Money"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { makeAgent, rowLimit } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aNumber, aTime, makeTestApi, refusal, rowsOf, storages, type TestApi, textOf } from "../testApi.ts"

const path = "/api/v1/account/movements"

describe.each(storages)("the money of an account, on %s", (storage) => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  afterAll(() => api.close())

  /** Starts a call of an account with a deposit of 10, at 0.25 for a minute. */
  const startCall = async () => {
    const settings = { ...defaultSettings, pricePerMinute: Money.make(250_000), timeZone: TimeZone.make("Asia/Tokyo") }
    const caller = await api.caller({ balance: 10, settings })
    const agent = await api.run(makeAgent(caller.account.id))
    const started = await caller.post("/api/v1/calls", { phone_number: "+12025550111", agent_id: agent.id })
    expect(started.status).toBe(201)
    return { caller, callId: textOf(started.json["call_id"]) }
  }

  it("GET balance returns the sums and the balance in units of the currency (D-BILL-15)", async () => {
    const { caller } = await startCall()
    const { json, status } = await caller.get("/api/v1/account/balance")
    expect([status, json]).toEqual([200, { deposits: 10, charges: 0, reservations: 0.25, balance: 9.75 }])
  })

  it("GET movements returns each change with its call, newest first, and the amounts add up to the balance", async () => {
    const { callId, caller } = await startCall()
    const { json, status } = await caller.get(path)
    expect(status).toBe(200)
    expect(json).toEqual({
      count: 2,
      page: 1,
      limit: 20,
      pages: 1,
      count_is_capped: false,
      movements: [
        { id: aNumber, kind: "reservation", amount: -0.25, balance_after: 9.75, call_id: callId, at: aTime },
        { id: aNumber, kind: "deposit", amount: 10, balance_after: 10, call_id: null, at: aTime }
      ]
    })
  })

  it("GET movements filters by kind, by call and by day in the time zone of the account, and pages", async () => {
    const { callId, caller } = await startCall()
    const kinds = async (query: string) =>
      rowsOf(await caller.get(`${path}?${query}`), "movements").map(({ kind }) => kind)
    expect(await kinds("kind=deposit")).toEqual(["deposit"])
    expect(await kinds("kind=opening")).toEqual([])
    expect(await kinds(`call_id=${callId}`)).toEqual(["reservation"])
    expect(await kinds("call_id=call_unknown")).toEqual([])
    expect(await kinds("page=2&limit=1")).toEqual(["deposit"])
    const [movement] = rowsOf(await caller.get(path), "movements")
    const inTokyo = DateTime.add(DateTime.makeUnsafe(textOf(movement?.["at"])), { hours: 9 })
    const day = DateTime.formatIsoDateUtc(inTokyo)
    const dayBefore = DateTime.formatIsoDateUtc(DateTime.subtract(inTokyo, { days: 2 }))
    expect(await kinds(`start_date=${day}&end_date=${day}&kind=reservation`)).toEqual(["reservation"])
    expect(await kinds(`end_date=${dayBefore}`)).toEqual([])
  })

  it("GET movements refuses an unknown kind, an invalid date and dates in the wrong order", async () => {
    const caller = await api.caller()
    for (const [query, name] of [
      ["kind=fee", "kind"],
      ["start_date=2026-02-30", "start_date"],
      ["start_date=2026-03-02&end_date=2026-03-01", "end_date"]
    ] as const) {
      const answer = await caller.get(`${path}?${query}`)
      expect([query, answer.status, answer.json]).toEqual([query, 400, refusal("invalid_parameter", name)])
    }
  })

  it("a key without can_read_account gets 403 for both, and another account sees nothing of them", async () => {
    const { caller } = await startCall()
    const other = await api.caller({ permissions: ["can_read_account"] })
    expect((await other.get(path)).json["count"]).toBe(0)
    expect((await other.get("/api/v1/account/balance")).json["balance"]).toBe(0)
    const reader = await api.caller({ account: caller.account, permissions: ["can_read_calls", "can_manage_account"] })
    for (const one of [path, "/api/v1/account/balance"]) expect((await reader.get(one)).status).toBe(403)
  })

  it("GET movements shows folded movements as an opening without a call", async () => {
    const { caller } = await startCall()
    await api.run(
      Effect.flatMap(FundMovementStore, (store) =>
        Effect.gen(function* () {
          const before = DateTime.add(yield* DateTime.now, { hours: 1 })
          while ((yield* store.fold(before, rowLimit(1))) > 0) continue
        })
      )
    )
    expect(rowsOf(await caller.get(path), "movements")).toEqual([
      { id: aNumber, kind: "opening", amount: 9.75, balance_after: 9.75, call_id: null, at: aTime }
    ])
  })
})
