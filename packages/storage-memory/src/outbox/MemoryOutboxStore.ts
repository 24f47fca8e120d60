import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { type OutboxLease, OutboxTaskId } from "@frontdesk/core/outbox/OutboxTask"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import type { OutboxRow, State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

/** Whether the task of a lease was not taken again since. */
const isHeld = (state: State, { attempts, id }: OutboxLease): boolean =>
  Option.exists(Table.get(state.outbox, id), (row) => row.attempts === attempts + 1)

/** The outbox in memory. */
export const layer: Layer.Layer<OutboxStore, never, Database> = Layer.effect(
  OutboxStore,
  Effect.gen(function* () {
    const database = yield* Database

    const update = (task: OutboxLease, change: (row: OutboxRow) => OutboxRow) =>
      database.modify((state) =>
        changed(
          undefined,
          isHeld(state, task) ? { ...state, outbox: Table.update(state.outbox, task.id, change) } : state
        )
      )

    return OutboxStore.of({
      add: (work, dueAt) =>
        database.modify((state) =>
          changed(undefined, {
            ...state,
            outbox: work.reduce(
              (outbox, one) =>
                Table.insert(outbox, (id): OutboxRow => ({
                  id: OutboxTaskId.make(id),
                  work: one,
                  attempts: 0,
                  dueAt,
                  owner: null,
                  error: null
                }))[1],
              state.outbox
            )
          })
        ),
      claim: (now, leaseUntil, limit, owner = null) =>
        database.modify((state) => {
          const due = Table.where(
            state.outbox,
            (row) => row.error === null && DateTime.isLessThanOrEqualTo(row.dueAt, now)
          ).slice(0, limit)
          const taken = due.map((row): readonly [number, OutboxRow] => [
            row.id,
            { ...row, attempts: row.attempts + 1, dueAt: leaseUntil, owner }
          ])
          return changed(
            due.map(({ id, work, attempts }) => ({ id, work, attempts })),
            { ...state, outbox: Table.replace(state.outbox, taken) }
          )
        }),
      complete: (task) =>
        database.modify((state) =>
          changed(undefined, isHeld(state, task) ? { ...state, outbox: Table.remove(state.outbox, task.id) } : state)
        ),
      postpone: (task, until) => update(task, (row) => ({ ...row, dueAt: until, owner: null })),
      abandon: (task, error) => update(task, (row) => ({ ...row, error })),
      release: (owner, now) =>
        database.modify((state) => {
          const taken = Table.where(
            state.outbox,
            (row) => row.error === null && row.owner === owner && DateTime.isGreaterThan(row.dueAt, now)
          ).map((row): readonly [number, OutboxRow] => [row.id, { ...row, dueAt: now, owner: null }])
          return changed(taken.length, { ...state, outbox: Table.replace(state.outbox, taken) })
        }),
      sweep: (before, limit) =>
        database.modify((state) => {
          const old = Table.where(
            state.outbox,
            (row) => row.error !== null && DateTime.isLessThan(row.dueAt, before)
          ).slice(0, limit)
          const outbox = old.reduce((outbox, { id }) => Table.remove(outbox, id), state.outbox)
          return changed(old.length, { ...state, outbox })
        })
    })
  })
)
