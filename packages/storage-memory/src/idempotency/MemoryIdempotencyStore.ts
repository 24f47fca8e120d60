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

/** What is known of a key, or that it may be taken. */
type Verdict = Exclude<IdempotencyState, { readonly _tag: "Started" }> | { readonly _tag: "Free" }

const judge = (row: IdempotencyRow, fingerprint: string, times: IdempotencyTimes): Verdict => {
  if (row.fingerprint !== fingerprint) return { _tag: "Reused" }
  const { takeOverBefore } = times
  const isLeftBehind = takeOverBefore !== null && DateTime.isLessThan(row.takenAt, takeOverBefore)
  if (row.executed && !isLeftBehind) return { _tag: "Running" }
  if (row.answer !== null) return { _tag: "Answered", answer: row.answer }
  if (!isLeftBehind) return { _tag: "Running" }
  return row.executed ? { _tag: "Executed" } : { _tag: "Free" }
}

/** Whether a key without a final answer is still that take's. */
const isHeld = (state: State, scope: IdempotencyScope, token: string): boolean =>
  Option.exists(
    HashMap.get(state.answers, nameOf(scope)),
    (row) => row.token === token && (row.answer === null || row.executed)
  )

const update = (state: State, scope: IdempotencyScope, change: Partial<IdempotencyRow>): State => ({
  ...state,
  answers: HashMap.modify(state.answers, nameOf(scope), (row) => ({ ...row, ...change }))
})

/** Idempotency keys in memory. */
export const layer: Layer.Layer<IdempotencyStore, never, Database> = Layer.effect(
  IdempotencyStore,
  Effect.map(Database, (database) => {
    let takes = 0
    return IdempotencyStore.of({
      begin: (scope, fingerprint, times) =>
        database.modify<IdempotencyState>((state) => {
          const known = Option.filter(HashMap.get(state.answers, nameOf(scope)), (row) => !isOver(row, times.now))
          const verdict = Option.match(known, {
            onNone: (): Verdict => ({ _tag: "Free" }),
            onSome: (row) => judge(row, fingerprint, times)
          })
          // Once given, the answer is final.
          if (verdict._tag === "Answered") return changed(verdict, update(state, scope, { executed: false }))
          if (verdict._tag !== "Free") return changed(verdict, state)
          const token = `${(takes += 1)}`
          const { expiresAt, now: takenAt } = times
          const row = { token, fingerprint, answer: null, executed: false, takenAt, expiresAt }
          return changed(
            { _tag: "Started", token },
            { ...state, answers: HashMap.set(state.answers, nameOf(scope), row) }
          )
        }),
      markExecuted: (scope, token, answer) =>
        database.modify((state) =>
          isHeld(state, scope, token)
            ? changed(true, update(state, scope, { executed: true, answer }))
            : changed(false, state)
        ),
      complete: (scope, token, answer) =>
        database.modify((state) =>
          isHeld(state, scope, token)
            ? changed(true, update(state, scope, { executed: false, answer }))
            : changed(false, state)
        ),
      release: (scope, token) =>
        database.modify((state) => {
          const isExecuted = Option.exists(HashMap.get(state.answers, nameOf(scope)), ({ executed }) => executed)
          return isHeld(state, scope, token) && !isExecuted
            ? changed(true, { ...state, answers: HashMap.remove(state.answers, nameOf(scope)) })
            : changed(false, state)
        }),
      sweep: (now, limit) =>
        database.modify((state) => {
          const expired: Array<readonly [name: string, row: IdempotencyRow]> = []
          for (const [name, row] of state.answers) {
            if (isOver(row, now)) expired.push([name, row])
            if (expired.length === limit.rows) break
          }
          const gone = Steps.within(expired, limit.bytes, ([, row]) => row.answer?.body.length ?? 0)
          const answers = HashMap.removeMany(
            state.answers,
            gone.map(([name]) => name)
          )
          return changed(gone.length, { ...state, answers })
        })
    })
  })
)
