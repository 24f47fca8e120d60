import { type SlotHold, SlotHolder } from "@frontdesk/core/availability/SlotHold"
import { SlotHoldStore } from "@frontdesk/core/availability/SlotHoldStore"
import type { AccountId } from "@frontdesk/core/access/Account"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { expect } from "./Expect.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

const [first, second] = [SlotHolder.make("call:7"), SlotHolder.make("key:7")]

/** Verifies a `SlotHoldStore`. */
export const slotHoldStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: SlotHoldStore`, (it) => {
    it.effect("ofHolder returns the holds of one holder of one account, ordered by start, then end", () =>
      Effect.gen(function* () {
        const holds = yield* SlotHoldStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const last = yield* place(account.id, { start: 60, end: 90 })
        const longer = yield* place(account.id, { start: 0, end: 60, expiresAt: 9 })
        const shorter = yield* place(account.id, { start: 0, end: 30 })
        yield* place(account.id, { holder: second, start: 0, end: 30 })
        yield* place(other.id, { start: 0, end: 30 })
        expect(yield* holds.ofHolder(account.id, first, Samples.now)).toEqual([shorter, longer, last])
        expect(yield* holds.ofHolder(account.id, SlotHolder.make("call:"), Samples.now)).toEqual([])
      })
    )

    it.effect("a hold has an effect until the millisecond at which it expires", () =>
      Effect.gen(function* () {
        const { id } = yield* Samples.makeAccount()
        const hold = yield* place(id, { start: 0, end: 30, expiresAt: 5 })
        const holds = yield* SlotHoldStore
        expect(yield* holds.ofHolder(id, first, Samples.justBefore(5))).toEqual([hold])
        expect(yield* holds.ofHolder(id, first, Samples.later(5))).toEqual([])
        const busyAt = (now: SlotHold["expiresAt"]) =>
          holds.busy(id, Samples.later(0), Samples.later(30), now, Option.none())
        expect(yield* busyAt(Samples.justBefore(5))).toEqual([times(0, 30)])
        expect(yield* busyAt(Samples.later(5))).toEqual([])
      })
    )

    it.effect("place gives a hold of the same holder for the same times a new expiry, later or earlier", () =>
      Effect.gen(function* () {
        const holds = yield* SlotHoldStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        yield* place(account.id, { start: 0, end: 30, expiresAt: 5 })
        const foreign = yield* place(other.id, { start: 0, end: 30, expiresAt: 5 })
        const ofSecond = yield* place(account.id, { holder: second, start: 0, end: 30, expiresAt: 5 })
        const later = yield* place(account.id, { start: 0, end: 30, expiresAt: 9 })
        expect(yield* holds.ofHolder(account.id, first, Samples.later(4))).toEqual([later])
        expect(yield* busy(account.id, 0, 30, { except: second })).toEqual([times(0, 30)])
        yield* place(account.id, { start: 0, end: 30, expiresAt: 2 })
        expect(yield* holds.ofHolder(account.id, first, Samples.later(2))).toEqual([])
        // An expired hold that is not deleted yet can be placed again.
        const again = yield* place(account.id, { start: 0, end: 30, expiresAt: 12 })
        expect(yield* holds.ofHolder(account.id, first, Samples.later(11))).toEqual([again])
        expect(yield* holds.ofHolder(account.id, second, Samples.later(4))).toEqual([ofSecond])
        expect(yield* holds.ofHolder(other.id, first, Samples.later(4))).toEqual([foreign])
      })
    )

    it.effect("busy returns the times of all holders that overlap the window, ordered by start, then end", () =>
      Effect.gen(function* () {
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        yield* place(account.id, { holder: second, start: 60, end: 120 })
        yield* place(account.id, { start: 60, end: 90 })
        yield* place(account.id, { start: 0, end: 30 })
        yield* place(other.id, { start: 10, end: 20 })
        expect(yield* busy(account.id, 0, 120)).toEqual([times(0, 30), times(60, 90), times(60, 120)])
        // Both ends of the window touch a hold.
        expect(yield* busy(account.id, 30, 60)).toEqual([])
        expect(yield* busy(account.id, 30, 60 + millisecond)).toEqual([times(60, 90), times(60, 120)])
        expect(yield* busy(account.id, 30 - millisecond, 60)).toEqual([times(0, 30)])
        expect(yield* busy(account.id, 10, 20)).toEqual([times(0, 30)])
        expect(yield* busy(account.id, 90, 500)).toEqual([times(60, 120)])
      })
    )

    it.effect("busy leaves out the holds of one holder, and no others", () =>
      Effect.gen(function* () {
        const { id } = yield* Samples.makeAccount()
        yield* place(id, { start: 0, end: 30 })
        yield* place(id, { holder: second, start: 0, end: 60 })
        expect(yield* busy(id, 0, 60, { except: first })).toEqual([times(0, 60)])
        expect(yield* busy(id, 0, 60, { except: second })).toEqual([times(0, 30)])
        expect(yield* busy(id, 0, 60, { except: SlotHolder.make("call") })).toEqual([times(0, 30), times(0, 60)])
      })
    )

    it.effect("release deletes the hold of this holder for these times only, and does nothing without one", () =>
      Effect.gen(function* () {
        const holds = yield* SlotHoldStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const hold = yield* place(account.id, { start: 0, end: 30 })
        const longer = yield* place(account.id, { start: 0, end: 60 })
        const later = yield* place(account.id, { start: 15, end: 30 })
        const ofSecond = yield* place(account.id, { holder: second, start: 0, end: 30 })
        const foreign = yield* place(other.id, { start: 0, end: 30 })
        for (let count = 0; count < 2; count++) yield* holds.release(hold)
        expect(yield* holds.ofHolder(account.id, first, Samples.now)).toEqual([longer, later])
        expect(yield* holds.ofHolder(account.id, second, Samples.now)).toEqual([ofSecond])
        expect(yield* holds.ofHolder(other.id, first, Samples.now)).toEqual([foreign])
      })
    )

    it.effect("sweep deletes holds that are expired at an instant, first those that expired first, in steps", () =>
      Effect.gen(function* () {
        const holds = yield* SlotHoldStore
        const { id } = yield* Samples.makeAccount()
        const ends = Samples.later(long + 3)
        // Holds of earlier runs that are as old.
        yield* Samples.sweepAll(holds, ends)
        // The start is in reverse order, so that a sweep by start deletes others first.
        const third = yield* place(id, { start: 1, end: 9, expiresAt: long + 3 })
        const middle = yield* place(id, { start: 2, end: 9, expiresAt: long + 2 })
        const oldest = yield* place(id, { start: 3, end: 9, expiresAt: long + 1 })
        const hold = { ...third, startTime: Samples.later(0), expiresAt: Samples.justAfter(long + 3) }
        yield* holds.place(hold)
        const left = holds.ofHolder(id, first, Samples.later(long))
        expect(yield* left).toEqual([hold, third, middle, oldest])
        expect(yield* holds.sweep(ends, Samples.rowLimit(1))).toBe(1)
        expect(yield* left).toEqual([hold, third, middle])
        expect(yield* holds.sweep(ends, Samples.rowLimit(10))).toBe(2)
        expect(yield* left).toEqual([hold])
        expect(yield* holds.sweep(ends, Samples.rowLimit(10))).toBe(0)
        yield* holds.release(hold)
      })
    )
  })
}

/** Before the expiry of the holds of other tests, so that a sweep deletes only those of its own test. */
const long = -50_000

/** A millisecond in minutes. */
const millisecond = 1 / 60_000

/** The values of a hold, in minutes after `Samples.now`. */
interface HoldFields {
  readonly holder?: SlotHolder
  readonly start: number
  readonly end: number
  readonly expiresAt?: number
}

/** Stores a hold, by default one of `first` that expires in 5 minutes, and returns it. */
const place = Effect.fnUntraced(function* (
  accountId: AccountId,
  { end, expiresAt = 5, holder = first, start }: HoldFields
) {
  const hold: SlotHold = {
    accountId,
    holder,
    startTime: Samples.later(start),
    endTime: Samples.later(end),
    expiresAt: Samples.later(expiresAt)
  }
  yield* (yield* SlotHoldStore).place(hold)
  return hold
})

/** Returns the busy times at `Samples.now` in a window of minutes. */
const busy = (accountId: AccountId, from: number, until: number, { except }: { readonly except?: SlotHolder } = {}) =>
  Effect.flatMap(SlotHoldStore, (holds) =>
    holds.busy(accountId, Samples.later(from), Samples.later(until), Samples.now, Option.fromUndefinedOr(except))
  )

const times = (start: number, end: number) => ({
  start: Samples.later(start).epochMilliseconds,
  end: Samples.later(end).epochMilliseconds
})
