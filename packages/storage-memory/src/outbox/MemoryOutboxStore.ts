import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { OutboxTaskId } from "@frontdesk/core/outbox/OutboxTask"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { changed, Database } from "../storage/Database.ts"
import type { OutboxRow } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

/** The outbox in memory. */
export const layer: Layer.Layer<OutboxStore, never, Database> = Layer.effect(
  OutboxStore,
  Effect.gen(function* () {
    const database = yield* Database

    const update = (id: OutboxTaskId, change: (row: OutboxRow) => OutboxRow) =>
      database.modify((state) => changed(undefined, { ...state, outbox: Table.update(state.outbox, id, change) }))

    return OutboxStore.of({
      add: (work, now) =>
        database.modify((state) =>
          changed(undefined, {
            ...state,
            outbox: work.reduce(
              (outbox, one) =>
                Table.insert(outbox, (id): OutboxRow => ({
                  id: OutboxTaskId.make(id),
                  work: one,
                  attempts: 0,
                  dueAt: now,
                  error: null
                }))[1],
              state.outbox
            )
          })
        ),
      claim: (now, leaseUntil, limit) =>
        database.modify((state) => {
          const due = Table.where(
            state.outbox,
            (row) => row.error === null && DateTime.isLessThanOrEqualTo(row.dueAt, now)
          ).slice(0, limit)
          const taken = due.map((row): readonly [number, OutboxRow] => [
            row.id,
            { ...row, attempts: row.attempts + 1, dueAt: leaseUntil }
          ])
          return changed(
            due.map(({ id, work, attempts }) => ({ id, work, attempts })),
            { ...state, outbox: Table.replace(state.outbox, taken) }
          )
        }),
      complete: (id) =>
        database.modify((state) => changed(undefined, { ...state, outbox: Table.remove(state.outbox, id) })),
      postpone: (id, until) => update(id, (row) => ({ ...row, dueAt: until })),
      abandon: (id, error) => update(id, (row) => ({ ...row, error })),
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
