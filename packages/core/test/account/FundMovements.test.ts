import { describe, expect, it } from "@effect/vitest"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { Principal } from "@frontdesk/core/access/Principal"
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { FundMovements } from "@frontdesk/core/account/FundMovements"
import * as CalendarDate from "@frontdesk/core/values/CalendarDate"
import { Money } from "@frontdesk/core/values/Money"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const services = Layer.mergeAll(Accounts.layer, FundMovements.layer).pipe(
  Layer.provideMerge(Layer.fresh(MemoryStorage.layer))
)

const page = { page: 1, limit: 100 }

const date = (text: string) => CalendarDate.CalendarDate.make(text)

/** Makes an account in New York with a deposit at each instant. Returns it with its caller. */
const makeCaller = (...instants: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const settings = { ...defaultSettings, timeZone: TimeZone.make("America/New_York") }
    const { id } = yield* Samples.makeAccount({ settings })
    const store = yield* AccountStore
    for (const [index, at] of instants.entries()) {
      yield* store.changeFunds(id, { deposits: Money.make(index + 1) }, { callId: null, at: Samples.at(at) })
    }
    const accounts = yield* Accounts
    return Effect.provideService(Principal, yield* accounts.principal(id))
  })

describe("FundMovements", () => {
  it.effect("movements and balance are those of the caller's account", () =>
    Effect.gen(function* () {
      const funds = yield* FundMovements
      const [as, asOther] = [
        yield* makeCaller("2026-03-01T12:00:00Z", "2026-03-02T12:00:00Z"),
        yield* makeCaller("2026-03-01T12:00:00Z")
      ]
      expect(yield* as(funds.balance)).toEqual({ deposits: 3, charges: 0, reservations: 0, balance: 3 })
      expect(yield* asOther(funds.balance)).toMatchObject({ balance: 1 })
      const found = yield* as(funds.movements({}, page))
      expect(found).toMatchObject({ count: 2, isCapped: false })
      expect(found.items.map(({ amount, balanceAfter }) => [amount, balanceAfter])).toEqual([
        [2, 3],
        [1, 1]
      ])
      expect((yield* asOther(funds.movements({}, page))).count).toBe(1)
    }).pipe(Effect.provide(services))
  )

  it.effect("a list has at most the newest 10,000 movements, and says when there are more", () =>
    Effect.gen(function* () {
      const funds = yield* FundMovements
      const as = yield* makeCaller(...Array.from({ length: 10_001 }, () => "2026-03-01T12:00:00Z"))
      const found = yield* as(funds.movements({}, { page: 100, limit: 100 }))
      expect(found).toMatchObject({ count: 10_000, isCapped: true })
      expect(found.items.at(-1)).toMatchObject({ amount: 2 })
    }).pipe(Effect.provide(services))
  )

  it.effect("the dates of a list are days in the time zone of the account", () =>
    Effect.gen(function* () {
      const funds = yield* FundMovements
      // Midnight of the two days is at 05:00 and, after the change to daylight saving time, at 04:00 in UTC.
      const as = yield* makeCaller(
        "2026-03-08T04:59:59.999Z",
        "2026-03-08T05:00:00Z",
        "2026-03-09T03:59:59.999Z",
        "2026-03-09T04:00:00Z"
      )
      const day = date("2026-03-08")
      const amounts = (query: Parameters<typeof funds.movements>[0]) =>
        Effect.map(as(funds.movements(query, page)), ({ items }) => items.map(({ amount }) => amount))
      expect(yield* amounts({ startDate: day, endDate: day })).toEqual([3, 2])
      expect(yield* amounts({ startDate: day })).toEqual([4, 3, 2])
      expect(yield* amounts({ endDate: day })).toEqual([3, 2, 1])
    }).pipe(Effect.provide(services))
  )

  it.effect("movements fails with InvalidParameter when the end date is before the start date", () =>
    Effect.gen(function* () {
      const funds = yield* FundMovements
      const as = yield* makeCaller()
      const query = { startDate: date("2026-03-09"), endDate: date("2026-03-08") }
      expect(yield* Effect.flip(as(funds.movements(query, page)))).toMatchObject({ parameter: "end_date" })
    }).pipe(Effect.provide(services))
  )

  it.effect("a deposit is a movement at the time of the deposit", () =>
    Effect.gen(function* () {
      const [accounts, funds] = [yield* Accounts, yield* FundMovements]
      const as = yield* makeCaller()
      const [account] = yield* accounts.list
      if (account !== undefined) yield* accounts.deposit(account.id, Money.make(7))
      const { items } = yield* as(funds.movements({}, page))
      expect(items).toMatchObject([{ kind: "deposit", amount: 7, balanceAfter: 7, callId: null }])
      expect(items[0]?.at.epochMilliseconds).toBe(0)
    }).pipe(Effect.provide(services))
  )
})
