import {
  type IdempotencyScope,
  type IdempotencyState,
  type IdempotencyTimes,
  IdempotencyStore
} from "@frontdesk/core/idempotency/IdempotencyStore"
import * as Steps from "@frontdesk/core/background/Steps"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import type { IdempotencyRow, State } from "../storage/State.ts"

const nameOf = ({ accountId, method, path, key }: IdempotencyScope): string =>
  JSON.stringify([accountId, method, path, key])

const isOver = (row: IdempotencyRow, now: DateTime.Utc): boolean => DateTime.isLessThanOrEqualTo(row.expiresAt, now)

/** The state of a key, where `Free` means that a request may claim it. */
type Verdict = Exclude<IdempotencyState, { readonly _tag: "Started" }> | { readonly _tag: "Free" }

const verdictOf = (row: IdempotencyRow, bodyDigest: string, times: IdempotencyTimes): Verdict => {
  if (row.bodyDigest !== bodyDigest) return { _tag: "Reused" }
  const { takeOverBefore } = times
  const isStale = takeOverBefore !== null && DateTime.isLessThan(row.claimedAt, takeOverBefore)
  if (row.executed && !isStale) return { _tag: "Running" }
  if (row.answer !== null) return { _tag: "Answered", answer: row.answer }
  if (!isStale) return { _tag: "Running" }
  return row.executed ? { _tag: "Executed" } : { _tag: "Free" }
}

/** Returns whether a token has the current claim of a key without a final answer. */
const isCurrent = (state: State, scope: IdempotencyScope, token: string): boolean =>
  Option.exists(
    HashMap.get(state.idempotencyKeys, nameOf(scope)),
    (row) => row.token === token && (row.answer === null || row.executed)
  )

const update = (state: State, scope: IdempotencyScope, change: Partial<IdempotencyRow>): State => ({
  ...state,
  idempotencyKeys: HashMap.modify(state.idempotencyKeys, nameOf(scope), (row) => ({ ...row, ...change }))
})

/** The `IdempotencyStore` in memory. */
export const layer: Layer.Layer<IdempotencyStore, never, Database> = Layer.effect(
  IdempotencyStore,
  Effect.map(Database, (database) => {
    let claims = 0
    return IdempotencyStore.of({
      begin: (scope, bodyDigest, times) =>
        database.modify<IdempotencyState>((state) => {
          const known = Option.filter(
            HashMap.get(state.idempotencyKeys, nameOf(scope)),
            (row) => !isOver(row, times.now)
          )
          const verdict = Option.match(known, {
            onNone: (): Verdict => ({ _tag: "Free" }),
            onSome: (row) => verdictOf(row, bodyDigest, times)
          })
          // An answer that was returned is final: `complete` must not replace it later.
          if (verdict._tag === "Answered") return changed(verdict, update(state, scope, { executed: false }))
          if (verdict._tag !== "Free") return changed(verdict, state)
          const token = `${(claims += 1)}`
          const { expiresAt, now: claimedAt } = times
          const row = { token, bodyDigest, answer: null, executed: false, claimedAt, expiresAt }
          return changed(
            { _tag: "Started", token },
            { ...state, idempotencyKeys: HashMap.set(state.idempotencyKeys, nameOf(scope), row) }
          )
        }),
      markExecuted: (scope, token, answer) =>
        database.modify((state) =>
          isCurrent(state, scope, token)
            ? changed(true, update(state, scope, { executed: true, answer }))
            : changed(false, state)
        ),
      complete: (scope, token, answer) =>
        database.modify((state) =>
          isCurrent(state, scope, token)
            ? changed(true, update(state, scope, { executed: false, answer }))
            : changed(false, state)
        ),
      release: (scope, token) =>
        database.modify((state) => {
          const isExecuted = Option.exists(
            HashMap.get(state.idempotencyKeys, nameOf(scope)),
            ({ executed }) => executed
          )
          return isCurrent(state, scope, token) && !isExecuted
            ? changed(true, { ...state, idempotencyKeys: HashMap.remove(state.idempotencyKeys, nameOf(scope)) })
            : changed(false, state)
        }),
      sweep: (now, limit) =>
        database.modify((state) => {
          const expired: Array<readonly [name: string, row: IdempotencyRow]> = []
          for (const [name, row] of state.idempotencyKeys) {
            if (isOver(row, now)) expired.push([name, row])
            if (expired.length === limit.rows) break
          }
          const gone = Steps.within(expired, limit.bytes, ([, row]) => row.answer?.body.length ?? 0)
          const idempotencyKeys = HashMap.removeMany(
            state.idempotencyKeys,
            gone.map(([name]) => name)
          )
          return changed(gone.length, { ...state, idempotencyKeys })
        })
    })
  })
)
