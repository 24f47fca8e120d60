import {
  type IdempotencyScope,
  type IdempotencyState,
  type IdempotencyTimes,
  IdempotencyStore
} from "@frontdesk/core/idempotency/IdempotencyStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import type { IdempotencyRow } from "../storage/State.ts"

const nameOf = ({ accountId, method, path, key }: IdempotencyScope): string =>
  JSON.stringify([accountId, method, path, key])

const isOver = (row: IdempotencyRow, now: DateTime.Utc): boolean => DateTime.isLessThanOrEqualTo(row.expiresAt, now)

const judge = (row: IdempotencyRow, fingerprint: string, times: IdempotencyTimes): IdempotencyState => {
  if (row.fingerprint !== fingerprint) return { _tag: "Reused" }
  if (row.answer !== null) return { _tag: "Answered", answer: row.answer }
  const isLeftBehind = times.takeOverBefore !== null && DateTime.isLessThan(row.takenAt, times.takeOverBefore)
  return isLeftBehind ? { _tag: "Started" } : { _tag: "Running" }
}

/** Idempotency keys in memory. */
export const layer: Layer.Layer<IdempotencyStore, never, Database> = Layer.effect(
  IdempotencyStore,
  Effect.map(Database, (database) =>
    IdempotencyStore.of({
      begin: (scope, fingerprint, times) =>
        database.modify<IdempotencyState>((state) => {
          const known = Option.filter(HashMap.get(state.answers, nameOf(scope)), (row) => !isOver(row, times.now))
          const verdict = Option.match(known, {
            onNone: (): IdempotencyState => ({ _tag: "Started" }),
            onSome: (row) => judge(row, fingerprint, times)
          })
          if (verdict._tag !== "Started") return changed(verdict, state)
          const row = { fingerprint, answer: null, takenAt: times.now, expiresAt: times.expiresAt }
          return changed(verdict, { ...state, answers: HashMap.set(state.answers, nameOf(scope), row) })
        }),
      complete: (scope, answer) =>
        database.modify((state) =>
          changed(undefined, {
            ...state,
            answers: HashMap.modify(state.answers, nameOf(scope), (row) => ({ ...row, answer }))
          })
        ),
      release: (scope) =>
        database.modify((state) => {
          const isRunning = Option.exists(HashMap.get(state.answers, nameOf(scope)), (row) => row.answer === null)
          return changed(
            undefined,
            isRunning ? { ...state, answers: HashMap.remove(state.answers, nameOf(scope)) } : state
          )
        }),
      sweep: (now) =>
        database.modify((state) => {
          const answers = HashMap.filter(state.answers, (row) => !isOver(row, now))
          return changed(HashMap.size(state.answers) - HashMap.size(answers), { ...state, answers })
        })
    })
  )
)
