import type { AccountId } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import type { FundMovement, FundsChange } from "@frontdesk/core/access/FundMovement"
import { FundMovementStore, type MovementFilter } from "@frontdesk/core/access/FundMovementStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Money from "@frontdesk/core/values/Money"
import * as Effect from "effect/Effect"
import { expect } from "./Expect.ts"
import { addUp, foldAll, movementsOf } from "./Movements.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

/** Verifies a `FundMovementStore`, and that an `AccountStore` records the movements of its changes. */
export const fundMovementStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: FundMovementStore`, (it) => {
    it.effect(
      "changeFunds records each change with its kind, its amount, the balance after it, its call and its time",
      () =>
        Effect.gen(function* () {
          const { id } = yield* Samples.makeAccount()
          expect(yield* movementsOf(id)).toEqual([])
          yield* change(id, { deposits: amount(100) }, 0)
          yield* change(id, { reservations: amount(40) }, 1, "call_a")
          yield* change(id, { reservations: amount(-40), charges: amount(30) }, 2, "call_a")
          yield* change(id, { charges: amount(-5) }, 3, "call_a")
          yield* change(id, { reservations: amount(7) }, 4, "call_b")
          yield* change(id, { reservations: amount(-7) }, 5, "call_b")
          yield* change(id, { reservations: amount(-9), charges: amount(9) }, 6)
          const found = yield* movementsOf(id)
          const expected = [
            movement("deposit", 100, 100, 0),
            movement("reservation", -40, 60, 1, "call_a"),
            movement("settlement", 10, 70, 2, "call_a"),
            movement("settlement", 5, 75, 3, "call_a"),
            movement("reservation", -7, 68, 4, "call_b"),
            movement("release", 7, 75, 5, "call_b"),
            movement("settlement", 0, 75, 6)
          ]
          expect(found).toEqual(expected.map((one, index) => ({ ...one, id: found[index]?.id })))
          const ids = found.map((one) => one.id)
          expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
          yield* addUp(id)
        })
    )

    it.effect("changeFunds records nothing for a change without amounts, or that it refuses", () =>
      Effect.gen(function* () {
        const { id } = yield* Samples.makeAccount()
        yield* change(id, { deposits: amount(5) }, 0)
        const before = yield* movementsOf(id)
        expect(yield* change(id, {}, 1)).toBe(true)
        expect(yield* change(id, { reservations: amount(0) }, 1)).toBe(true)
        expect(yield* change(id, { reservations: amount(6) }, 1)).toBe(false)
        expect(yield* movementsOf(id)).toEqual(before)
      })
    )

    it.effect("changeFunds records no movement with an earlier time than the one before it", () =>
      Effect.gen(function* () {
        const { id } = yield* Samples.makeAccount()
        for (const minutes of [3, 1, 3, 5]) yield* change(id, { deposits: amount(minutes) }, minutes)
        expect((yield* movementsOf(id)).map((one) => [one.amount, one.at])).toEqual([
          [3, Samples.later(3)],
          [1, Samples.later(3)],
          [3, Samples.later(3)],
          [5, Samples.later(5)]
        ])
      })
    )

    it.effect("concurrent changes record balances that follow each other", () =>
      Effect.gen(function* () {
        const transaction = yield* Transaction
        const { id } = yield* Samples.makeAccount()
        yield* change(id, { deposits: amount(7) }, 0)
        yield* Effect.forEach(
          Array.from({ length: 20 }),
          (_, index) => {
            const reserve = change(id, { reservations: amount(1) }, index)
            return index % 2 === 0 ? reserve : transaction.run(Effect.andThen(Effect.yieldNow, reserve))
          },
          { concurrency: "unbounded" }
        )
        expect((yield* movementsOf(id)).map((one) => one.balanceAfter)).toEqual([7, 6, 5, 4, 3, 2, 1, 0])
        yield* addUp(id)
      })
    )

    it.effect("list returns the movements of one account, newest first, page by page", () =>
      Effect.gen(function* () {
        const store = yield* FundMovementStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        // Two of them have the same time.
        for (const minutes of [1, 2, 2, 4, 5]) {
          yield* change(account.id, { deposits: amount(minutes) }, minutes)
          yield* change(other.id, { deposits: amount(100) }, minutes)
        }
        const all = (yield* movementsOf(account.id)).toReversed()
        expect(all.map((one) => one.balanceAfter)).toEqual([14, 9, 5, 3, 1])
        for (const [page, items] of [all.slice(0, 2), all.slice(2, 4), all.slice(4), []].entries()) {
          const request = { page: page + 1, limit: 2 }
          expect(yield* store.list(account.id, {}, request)).toEqual({ items, count: 5, isCapped: false, ...request })
        }
      })
    )

    it.effect("list filters by kind, by call and by time, and by all of them together", () =>
      Effect.gen(function* () {
        const store = yield* FundMovementStore
        const { id } = yield* Samples.makeAccount()
        yield* change(id, { deposits: amount(100) }, 0)
        yield* change(id, { reservations: amount(1) }, 1, "call_a")
        yield* change(id, { reservations: amount(2) }, 2, "call_b")
        yield* change(id, { reservations: amount(-1), charges: amount(1) }, 3, "call_a")
        yield* change(id, { reservations: amount(3) }, 4, "call_a")
        const minutesOf = (filter: MovementFilter) =>
          Effect.map(store.list(id, filter, { page: 1, limit: 100 }), ({ count, items }) => {
            expect(count).toBe(items.length)
            return items.map(({ at }) => (at.epochMilliseconds - Samples.now.epochMilliseconds) / 60_000)
          })
        expect(yield* minutesOf({ kind: "reservation" })).toEqual([4, 2, 1])
        expect(yield* minutesOf({ kind: "release" })).toEqual([])
        expect(yield* minutesOf({ callId: "call_a" })).toEqual([4, 3, 1])
        expect(yield* minutesOf({ callId: "call" })).toEqual([])
        expect(yield* minutesOf({ from: Samples.later(2) })).toEqual([4, 3, 2])
        expect(yield* minutesOf({ from: Samples.justAfter(2) })).toEqual([4, 3])
        expect(yield* minutesOf({ until: Samples.later(2) })).toEqual([1, 0])
        expect(yield* minutesOf({ until: Samples.justAfter(2) })).toEqual([2, 1, 0])
        const [from, until] = [Samples.later(1), Samples.later(4)]
        expect(yield* minutesOf({ kind: "reservation", callId: "call_a", from, until })).toEqual([1])
      })
    )

    it.effect("a list has at most the `newest` movements, and says when there are more", () =>
      Effect.gen(function* () {
        const store = yield* FundMovementStore
        const { id } = yield* Samples.makeAccount()
        const add = (count: number) =>
          Effect.forEach(Array.from({ length: count }), () => change(id, { deposits: amount(1) }, 0), { discard: true })
        const last = (filter: MovementFilter) =>
          Effect.map(store.list(id, filter, { page: 4, limit: 30 }), ({ items, ...fields }) => ({
            ...fields,
            balances: items.map((one) => one.balanceAfter)
          }))
        const newest = 100
        yield* add(newest)
        const filters: ReadonlyArray<MovementFilter> = [{ newest }, { newest, kind: "deposit" }]
        for (const filter of filters) {
          expect(yield* last(filter)).toMatchObject({ count: newest, isCapped: false })
          expect((yield* last(filter)).balances.at(-1)).toBe(1)
        }
        yield* add(1)
        for (const filter of filters) {
          const { balances, ...fields } = yield* last(filter)
          expect(fields).toEqual({ count: newest, isCapped: true, page: 4, limit: 30 })
          expect([balances.length, balances.at(-1)]).toEqual([10, 2])
          expect((yield* store.list(id, filter, { page: 5, limit: 30 })).items).toEqual([])
        }
        expect(yield* last({ newest, kind: "release" })).toMatchObject({ count: 0, isCapped: false })
        expect(yield* last({})).toMatchObject({ count: newest + 1, isCapped: false })
      })
    )

    it.effect("fold replaces the oldest movements of an account by their sum, up to one more than the limit", () =>
      Effect.gen(function* () {
        const store = yield* FundMovementStore
        const before = Samples.later(long + 10)
        yield* foldAll(before)
        const { id } = yield* Samples.makeAccount()
        yield* change(id, { deposits: amount(100) }, long + 1)
        yield* change(id, { reservations: amount(40) }, long + 2, "call_a")
        yield* change(id, { reservations: amount(-40), charges: amount(30) }, long + 3, "call_a")
        yield* change(id, { deposits: amount(1) }, long + 10 - 1 / 60_000)
        yield* change(id, { deposits: amount(2) }, long + 10)
        yield* change(id, { deposits: amount(4) }, long + 11)
        const all = yield* movementsOf(id)
        const opening = (index: number) => {
          const last = all[index]
          return { ...last, kind: "opening", amount: last?.balanceAfter, callId: null }
        }
        expect(yield* store.fold(before, Samples.rowLimit(1))).toBe(2)
        expect(yield* movementsOf(id)).toEqual([opening(1), ...all.slice(2)])
        yield* addUp(id)
        expect(yield* store.fold(before, Samples.rowLimit(1))).toBe(2)
        expect(yield* movementsOf(id)).toEqual([opening(2), ...all.slice(3)])
        yield* addUp(id)
        expect(yield* store.fold(before, Samples.rowLimit(100))).toBe(2)
        expect(yield* movementsOf(id)).toEqual([opening(3), ...all.slice(4)])
        yield* addUp(id)
        expect(yield* store.fold(before, Samples.rowLimit(100))).toBe(0)
        expect(yield* movementsOf(id)).toEqual([opening(3), ...all.slice(4)])
        yield* change(id, { deposits: amount(8) }, long + 12)
        yield* addUp(id)
      })
    )

    it.effect(
      "fold takes the account with the oldest movement first, and leaves a single old movement as an opening",
      () =>
        Effect.gen(function* () {
          const store = yield* FundMovementStore
          const before = Samples.later(long + 110)
          yield* foldAll(before)
          const [later, sooner, recent] = [
            yield* Samples.makeAccount(),
            yield* Samples.makeAccount(),
            yield* Samples.makeAccount()
          ]
          yield* change(later.id, { deposits: amount(1) }, long + 102)
          yield* change(later.id, { deposits: amount(2) }, long + 103)
          yield* change(sooner.id, { deposits: amount(4) }, long + 101)
          yield* change(recent.id, { deposits: amount(8) }, long + 110)
          const kinds = Effect.forEach([later, sooner, recent], ({ id }) =>
            Effect.map(movementsOf(id), (found) => found.map((one) => one.kind).join())
          )
          expect(yield* store.fold(before, Samples.rowLimit(100))).toBe(1)
          expect(yield* kinds).toEqual(["deposit,deposit", "opening", "deposit"])
          expect(yield* store.fold(before, Samples.rowLimit(100))).toBe(2)
          expect(yield* kinds).toEqual(["opening", "opening", "deposit"])
          expect(yield* store.fold(before, Samples.rowLimit(100))).toBe(0)
          yield* Effect.forEach([later, sooner, recent], ({ id }) => addUp(id))
        })
    )
  })
}

/** Before the movements of other tests, in minutes, so that a fold takes only those of its own test. */
const long = -100_000

const change = (id: AccountId, sums: FundsChange, minutes: number, callId: string | null = null) =>
  Effect.flatMap(AccountStore, (accounts) => accounts.changeFunds(id, sums, { callId, at: Samples.later(minutes) }))

const movement = (
  kind: FundMovement["kind"],
  by: number,
  after: number,
  minutes: number,
  callId: string | null = null
): Omit<FundMovement, "id"> => ({
  kind,
  amount: amount(by),
  balanceAfter: amount(after),
  callId,
  at: Samples.later(minutes)
})

const amount = (millionths: number): Money.Money => Money.Money.make(millionths)
