import { AccountId } from "@frontdesk/core/access/Account"
import { type SlotHold, SlotHolder } from "@frontdesk/core/availability/SlotHold"
import { SlotHoldStore } from "@frontdesk/core/availability/SlotHoldStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { justAfter, justBefore, mutantsOf, reversed, wholeSeconds } from "./Mutant.ts"

/** The holders of the suite. */
const holders = ["call:7", "key:7"].map((holder) => SlotHolder.make(holder))

const nameOf = ({ accountId, endTime, holder, startTime }: SlotHold): string =>
  JSON.stringify([accountId, holder, startTime, endTime])

/** Mutants of `SlotHoldStore`. */
export const slotHoldStore = mutantsOf(SlotHoldStore, {
  "place has no effect": () => ({ place: () => Effect.void }),
  "place leaves the expiry of an existing hold": (store) => {
    const placed = new Map<string, SlotHold>()
    return {
      place: (hold) => {
        const first = placed.get(nameOf(hold)) ?? hold
        placed.set(nameOf(hold), first)
        return store.place(first)
      }
    }
  },
  "place stores a second hold for the same times": (store) => {
    const placed = new Set<string>()
    return {
      place: (hold) => {
        const isPlaced = placed.has(nameOf(hold))
        placed.add(nameOf(hold))
        return store.place(isPlaced ? { ...hold, endTime: justAfter(hold.endTime) } : hold)
      }
    }
  },
  "place replaces the other holds of the holder": (store) => ({
    place: (hold) =>
      Effect.gen(function* () {
        for (const other of yield* store.ofHolder(hold.accountId, hold.holder, DateTime.makeUnsafe(0))) {
          yield* store.release(other)
        }
        yield* store.place(hold)
      })
  }),
  "place never makes the expiry of a hold earlier": (store) => ({
    place: (hold) =>
      Effect.flatMap(store.ofHolder(hold.accountId, hold.holder, hold.expiresAt), (held) => {
        const isHeld = held.some(
          ({ endTime, startTime }) =>
            DateTime.Equivalence(startTime, hold.startTime) && DateTime.Equivalence(endTime, hold.endTime)
        )
        return isHeld ? Effect.void : store.place(hold)
      })
  }),
  "place stores the times in whole seconds": (store) => ({
    place: (hold) =>
      store.place({ ...hold, startTime: wholeSeconds(hold.startTime), endTime: wholeSeconds(hold.endTime) })
  }),
  "place stores the expiry in whole seconds": (store) => ({
    place: (hold) => store.place({ ...hold, expiresAt: wholeSeconds(hold.expiresAt) })
  }),
  "ofHolder returns expired holds": (store) => ({
    ofHolder: (accountId, holder) => store.ofHolder(accountId, holder, DateTime.makeUnsafe(0))
  }),
  "ofHolder returns a hold at the instant at which it expires": (store) => ({
    ofHolder: (accountId, holder, now) => store.ofHolder(accountId, holder, justBefore(now))
  }),
  "ofHolder leaves out a hold that expires in a millisecond": (store) => ({
    ofHolder: (accountId, holder, now) => store.ofHolder(accountId, holder, justAfter(now))
  }),
  "ofHolder returns the last hold first": (store) => ({
    ofHolder: (accountId, holder, now) => reversed(store.ofHolder(accountId, holder, now))
  }),
  "ofHolder returns the holds of all holders": (store) => ({
    ofHolder: (accountId, _holder, now) =>
      Effect.map(
        Effect.forEach(holders, (holder) => store.ofHolder(accountId, holder, now)),
        (held) => held.flat()
      )
  }),
  "the holds of all accounts are those of one": (store) => ({
    place: (hold) => store.place({ ...hold, accountId: AccountId.make(1) }),
    ofHolder: (accountId, holder, now) =>
      Effect.map(store.ofHolder(AccountId.make(1), holder, now), (held) =>
        held.map((hold) => ({ ...hold, accountId }))
      ),
    busy: (_accountId, from, until, now, except) => store.busy(AccountId.make(1), from, until, now, except),
    release: (hold) => store.release({ ...hold, accountId: AccountId.make(1) })
  }),
  "busy returns expired holds": (store) => ({
    busy: (accountId, from, until, _now, except) => store.busy(accountId, from, until, DateTime.makeUnsafe(0), except)
  }),
  "busy returns a hold at the instant at which it expires": (store) => ({
    busy: (accountId, from, until, now, except) => store.busy(accountId, from, until, justBefore(now), except)
  }),
  "busy leaves out a hold that expires in a millisecond": (store) => ({
    busy: (accountId, from, until, now, except) => store.busy(accountId, from, until, justAfter(now), except)
  }),
  "busy leaves out the holds of no holder": (store) => ({
    busy: (accountId, from, until, now) => store.busy(accountId, from, until, now, Option.none())
  }),
  "busy returns the holds of the given holder only": (store) => ({
    busy: (accountId, from, until, now, except) =>
      Option.match(except, {
        onNone: () => store.busy(accountId, from, until, now, except),
        onSome: (holder) =>
          Effect.map(store.ofHolder(accountId, holder, now), (held) =>
            held.map(({ endTime, startTime }) => ({
              start: startTime.epochMilliseconds,
              end: endTime.epochMilliseconds
            }))
          )
      })
  }),
  "busy returns a hold that ends when the window starts": (store) => ({
    busy: (accountId, from, until, now, except) => store.busy(accountId, justBefore(from), until, now, except)
  }),
  "busy leaves out a hold that ends a millisecond after the window starts": (store) => ({
    busy: (accountId, from, until, now, except) => store.busy(accountId, justAfter(from), until, now, except)
  }),
  "busy returns a hold that starts when the window ends": (store) => ({
    busy: (accountId, from, until, now, except) => store.busy(accountId, from, justAfter(until), now, except)
  }),
  "busy leaves out a hold that starts a millisecond before the window ends": (store) => ({
    busy: (accountId, from, until, now, except) => store.busy(accountId, from, justBefore(until), now, except)
  }),
  "busy returns only holds within the window": (store) => ({
    busy: (accountId, from, until, now, except) =>
      Effect.map(store.busy(accountId, from, until, now, except), (held) =>
        held.filter(({ end, start }) => start >= from.epochMilliseconds && end <= until.epochMilliseconds)
      )
  }),
  "busy cuts the holds at the ends of the window": (store) => ({
    busy: (accountId, from, until, now, except) =>
      Effect.map(store.busy(accountId, from, until, now, except), (held) =>
        held.map(({ end, start }) => ({
          start: Math.max(start, from.epochMilliseconds),
          end: Math.min(end, until.epochMilliseconds)
        }))
      )
  }),
  "busy returns the last hold first": (store) => ({
    busy: (accountId, from, until, now, except) => reversed(store.busy(accountId, from, until, now, except))
  }),
  "release has no effect": () => ({ release: () => Effect.void }),
  "release deletes the holds of all holders": (store) => ({
    release: (hold) => Effect.forEach(holders, (holder) => store.release({ ...hold, holder }), { discard: true })
  }),
  "release deletes all holds of the holder that start together": (store) => ({
    release: (hold) =>
      Effect.flatMap(store.ofHolder(hold.accountId, hold.holder, DateTime.makeUnsafe(0)), (held) =>
        Effect.forEach(
          held.filter(({ startTime }) => DateTime.Equivalence(startTime, hold.startTime)),
          (other) => store.release(other),
          { discard: true }
        )
      )
  }),
  "release deletes all holds of the holder that end together": (store) => ({
    release: (hold) =>
      Effect.flatMap(store.ofHolder(hold.accountId, hold.holder, DateTime.makeUnsafe(0)), (held) =>
        Effect.forEach(
          held.filter(({ endTime }) => DateTime.Equivalence(endTime, hold.endTime)),
          (other) => store.release(other),
          { discard: true }
        )
      )
  }),
  "sweep has no effect": () => ({ sweep: () => Effect.succeed(0) }),
  "sweep deletes holds that are not expired": (store) => ({
    sweep: (now, limit) => store.sweep(justAfter(now), limit)
  }),
  "sweep leaves a hold that expires at the instant": (store) => ({
    sweep: (now, limit) => store.sweep(justBefore(now), limit)
  }),
  "sweep deletes the holds that expired last first": (store) => {
    const placed = new Map<string, SlotHold>()
    return {
      place: (hold) =>
        Effect.andThen(
          Effect.sync(() => placed.set(nameOf(hold), hold)),
          store.place(hold)
        ),
      sweep: (now, limit) =>
        Effect.suspend(() => {
          const gone = [...placed]
            .filter(([, { expiresAt }]) => DateTime.isLessThanOrEqualTo(expiresAt, now))
            .toSorted(([, a], [, b]) => DateTime.Order(b.expiresAt, a.expiresAt))
            .slice(0, limit.rows)
          for (const [name] of gone) placed.delete(name)
          return Effect.as(
            Effect.forEach(gone, ([, hold]) => store.release(hold)),
            gone.length
          )
        })
    }
  },
  "sweep ignores the limit of rows": (store) => ({
    sweep: (now, limit) => store.sweep(now, { ...limit, rows: 1_000 })
  }),
  "sweep returns how many rows it may delete": (store) => ({
    sweep: (now, limit) => Effect.map(store.sweep(now, limit), (count) => (count === 0 ? 0 : limit.rows))
  })
})
