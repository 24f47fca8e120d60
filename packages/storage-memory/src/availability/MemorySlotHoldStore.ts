import type { SlotHold } from "@frontdesk/core/availability/SlotHold"
import { SlotHoldStore } from "@frontdesk/core/availability/SlotHoldStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import type { State } from "../storage/State.ts"

const nameOf = ({ accountId, endTime, holder, startTime }: Omit<SlotHold, "expiresAt">): string =>
  JSON.stringify([accountId, holder, startTime.epochMilliseconds, endTime.epochMilliseconds])

/** Returns the holds that satisfy a predicate, ordered by start, then end. */
const where = (state: State, predicate: (hold: SlotHold) => boolean): ReadonlyArray<SlotHold> =>
  [...HashMap.values(state.slotHolds)]
    .filter(predicate)
    .toSorted((a, b) => DateTime.Order(a.startTime, b.startTime) || DateTime.Order(a.endTime, b.endTime))

/** The `SlotHoldStore` in memory. */
export const layer: Layer.Layer<SlotHoldStore, never, Database> = Layer.effect(
  SlotHoldStore,
  Effect.map(Database, (database) =>
    SlotHoldStore.of({
      place: (hold) =>
        database.modify((state) =>
          changed(undefined, { ...state, slotHolds: HashMap.set(state.slotHolds, nameOf(hold), hold) })
        ),
      ofHolder: (accountId, holder, now) =>
        database.read((state) =>
          where(
            state,
            (hold) =>
              hold.accountId === accountId && hold.holder === holder && DateTime.isGreaterThan(hold.expiresAt, now)
          )
        ),
      busy: (accountId, from, until, now, except) =>
        database.read((state) =>
          where(
            state,
            (hold) =>
              hold.accountId === accountId &&
              DateTime.isGreaterThan(hold.expiresAt, now) &&
              DateTime.isLessThan(hold.startTime, until) &&
              DateTime.isGreaterThan(hold.endTime, from) &&
              !Option.contains(except, hold.holder)
          ).map(({ endTime, startTime }) => ({
            start: startTime.epochMilliseconds,
            end: endTime.epochMilliseconds
          }))
        ),
      release: (hold) =>
        database.modify((state) =>
          changed(undefined, { ...state, slotHolds: HashMap.remove(state.slotHolds, nameOf(hold)) })
        ),
      sweep: (now, limit) =>
        database.modify((state) => {
          const gone = where(state, ({ expiresAt }) => DateTime.isLessThanOrEqualTo(expiresAt, now))
            .toSorted((a, b) => DateTime.Order(a.expiresAt, b.expiresAt))
            .slice(0, limit.rows)
          return changed(gone.length, { ...state, slotHolds: HashMap.removeMany(state.slotHolds, gone.map(nameOf)) })
        })
    })
  )
)
