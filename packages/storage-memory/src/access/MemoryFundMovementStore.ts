import { type FundMovement, maxListed } from "@frontdesk/core/access/FundMovement"
import { FundMovementStore, type MovementFilter } from "@frontdesk/core/access/FundMovementStore"
import * as Money from "@frontdesk/core/values/Money"
import * as Page from "@frontdesk/core/values/Page"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import type { AccountMovements } from "../storage/State.ts"
import * as Movements from "./Movements.ts"

const matches =
  ({ callId, from, kind, until }: MovementFilter) =>
  (movement: FundMovement): boolean =>
    (callId === undefined || movement.callId === callId) &&
    (kind === undefined || movement.kind === kind) &&
    (from === undefined || DateTime.isGreaterThanOrEqualTo(movement.at, from)) &&
    (until === undefined || DateTime.isLessThan(movement.at, until))

/** Returns the movements of an account with its oldest ones folded, and how many were taken. */
const fold = (own: AccountMovements, before: DateTime.Utc, maxRows: number) => {
  const taken = Movements.ordered(own)
    .filter(({ at }) => DateTime.isLessThan(at, before))
    .slice(0, maxRows)
  const last = taken.at(-1)
  if (last === undefined) return { count: 0, movements: own }
  const opening: FundMovement = {
    ...last,
    kind: "opening",
    amount: Money.sum(...taken.map(({ amount }) => amount)),
    callId: null
  }
  const kept = taken.reduce((rows, { id }) => HashMap.remove(rows, id), own.rows)
  const newest = own.newest.id === last.id ? opening : own.newest
  return { count: taken.length, movements: { newest, rows: HashMap.set(kept, last.id, opening) } }
}

/** The `FundMovementStore` in memory. */
export const layer: Layer.Layer<FundMovementStore, never, Database> = Layer.effect(
  FundMovementStore,
  Effect.map(Database, (database) =>
    FundMovementStore.of({
      list: (accountId, filter, page) =>
        database.read((state) => {
          const all = Option.match(HashMap.get(state.movements, accountId), {
            onNone: () => [],
            onSome: Movements.ordered
          })
          return Page.sliceCapped(all.filter(matches(filter)).toReversed(), filter.newest ?? maxListed, page)
        }),
      fold: (before, limit) =>
        database.modify((state) => {
          const old = HashMap.toEntries(state.movements)
            .flatMap(([accountId, own]) => {
              const first = Movements.ordered(own).find(
                ({ at, kind }) => kind !== "opening" && DateTime.isLessThan(at, before)
              )
              return first === undefined ? [] : [{ accountId, own, first }]
            })
            .toSorted((a, b) => DateTime.Order(a.first.at, b.first.at) || a.first.id - b.first.id)[0]
          if (old === undefined) return changed(0, state)
          const { count, movements } = fold(old.own, before, limit.rows + 1)
          return changed(count, { ...state, movements: HashMap.set(state.movements, old.accountId, movements) })
        })
    })
  )
)
