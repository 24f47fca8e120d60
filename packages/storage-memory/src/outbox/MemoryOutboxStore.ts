import type { AccountId } from "@frontdesk/core/access/Account"
import * as FairShare from "@frontdesk/core/background/FairShare"
import { nothingTaken, OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import {
  type DeadLetterFilter,
  eventIdOf,
  lineKey,
  lineOf,
  type OutboxLease,
  OutboxTaskId,
  stepOver
} from "@frontdesk/core/outbox/OutboxTask"
import * as Page from "@frontdesk/core/values/Page"
import * as Steps from "@frontdesk/core/background/Steps"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import type { OutboxRow, State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

/** Returns whether a claim of a task is still valid: the task has not been claimed again since. */
const isCurrent = (state: State, { attempts, id }: OutboxLease): boolean =>
  Option.exists(Table.get(state.outbox, id), (row) => row.attempts === attempts + 1)

const added = (
  outbox: State["outbox"],
  tasks: ReadonlyArray<Pick<OutboxRow, "accountId" | "work">>,
  dueAt: DateTime.Utc
): State["outbox"] =>
  tasks.reduce(
    (rest, { accountId, work }) =>
      Table.insert(rest, (id): OutboxRow => ({
        id: OutboxTaskId.make(id),
        accountId,
        work,
        attempts: 0,
        dueAt,
        owner: null,
        error: null
      }))[1],
    outbox
  )

const removed = (outbox: State["outbox"], rows: ReadonlyArray<OutboxRow>): State["outbox"] =>
  Table.removeAll(
    outbox,
    rows.map(({ id }) => id)
  )

/** Returns the due tasks, the longest due first. */
const dueTasks = (state: State, now: DateTime.Utc) =>
  Table.where(state.outbox, (row) => row.error === null && DateTime.isLessThanOrEqualTo(row.dueAt, now)).toSorted(
    (a, b) => DateTime.Order(a.dueAt, b.dueAt) || a.id - b.id
  )

const owners: FairShare.Owners<OutboxRow, AccountId, string> = {
  account: ({ accountId }) => accountId,
  line: ({ accountId, work }) => lineKey(accountId, lineOf(work))
}

/** Returns the dead-lettered tasks that match a filter, newest first. */
const deadLetteredRows = (state: State, { accountId, id, tag }: DeadLetterFilter) =>
  Table.where(
    state.outbox,
    (row) =>
      row.error !== null &&
      (id === undefined || row.id === id) &&
      (tag === undefined || row.work._tag === tag) &&
      (accountId === undefined || row.accountId === accountId)
  ).toReversed()

/** The `OutboxStore` in memory. */
export const layer: Layer.Layer<OutboxStore, never, Database> = Layer.effect(
  OutboxStore,
  Effect.gen(function* () {
    const database = yield* Database

    const update = (task: OutboxLease, change: (row: OutboxRow) => OutboxRow) =>
      database.modify((state) =>
        changed(
          undefined,
          isCurrent(state, task) ? { ...state, outbox: Table.update(state.outbox, task.id, change) } : state
        )
      )

    return OutboxStore.of({
      add: (accountId, work, dueAt) =>
        database.modify((state) => {
          const tasks = work.map((one) => ({ accountId, work: one }))
          return changed(undefined, { ...state, outbox: added(state.outbox, tasks, dueAt) })
        }),
      claim: (now, leaseUntil, limit, owner = null, taken = nothingTaken) =>
        database.modify((state) => {
          const due = FairShare.choose(dueTasks(state, now), owners, { free: limit, ...taken }).toSorted(
            (a, b) => a.id - b.id
          )
          const changedRows = due.map((row): readonly [number, OutboxRow] => [
            row.id,
            { ...row, attempts: row.attempts + 1, dueAt: leaseUntil, owner }
          ])
          return changed(
            due.map(({ id, accountId, work, attempts }) => ({ id, accountId, work, attempts })),
            { ...state, outbox: Table.replace(state.outbox, changedRows) }
          )
        }),
      complete: (task) =>
        database.modify((state) =>
          changed(undefined, isCurrent(state, task) ? { ...state, outbox: Table.remove(state.outbox, task.id) } : state)
        ),
      retryAt: (task, until) => update(task, (row) => ({ ...row, dueAt: until, owner: null })),
      postpone: (task, until) =>
        update(task, (row) => ({ ...row, dueAt: until, owner: null, attempts: task.attempts })),
      deadLetter: (task, error, now) =>
        database.modify((state) => {
          if (!isCurrent(state, task)) return changed(false, state)
          const deadLettered = (row: OutboxRow): OutboxRow => ({ ...row, error, dueAt: now, owner: null })
          return changed(true, { ...state, outbox: Table.update(state.outbox, task.id, deadLettered) })
        }),
      deadLettered: (filter, page) =>
        database.read((state) =>
          Page.map(Page.slice(deadLetteredRows(state, filter), page), (row) => ({
            id: row.id,
            work: row.work,
            eventId: eventIdOf(row.work),
            accountId: row.accountId,
            attempts: row.attempts,
            error: row.error ?? "",
            deadLetteredAt: row.dueAt
          }))
        ),
      count: (max) =>
        database.read((state) => {
          const deadLettered = new Map<string, number>()
          for (const { work } of deadLetteredRows(state, {}).slice(0, max))
            deadLettered.set(work._tag, (deadLettered.get(work._tag) ?? 0) + 1)
          const waiting = Table.where(state.outbox, ({ error }) => error === null).length
          return { waiting: Math.min(waiting, max), deadLettered }
        }),
      renew: ({ tag, ...filter }, before, limit, dueAt) =>
        database.modify((state) => {
          const examined = deadLetteredRows(state, filter)
            .filter(({ id }) => before === null || id < before)
            .slice(0, limit)
          const old = examined.filter(({ work }) => tag === undefined || work._tag === tag)
          return changed(
            stepOver(
              examined.map(({ id }) => id),
              limit,
              old.map(({ accountId, id }) => ({ id, accountId }))
            ),
            { ...state, outbox: added(removed(state.outbox, old), old.toReversed(), dueAt) }
          )
        }),
      release: (owner, now) =>
        database.modify((state) => {
          const changedRows = Table.where(
            state.outbox,
            (row) => row.error === null && row.owner === owner && DateTime.isGreaterThan(row.dueAt, now)
          ).map((row): readonly [number, OutboxRow] => [row.id, { ...row, dueAt: now, owner: null }])
          return changed(changedRows.length, { ...state, outbox: Table.replace(state.outbox, changedRows) })
        }),
      sweep: (before, limit) =>
        database.modify((state) => {
          const due = Table.where(
            state.outbox,
            (row) => row.error !== null && DateTime.isLessThan(row.dueAt, before)
          ).slice(0, limit.rows)
          const old = Steps.within(due, limit.bytes, (row) => JSON.stringify(row.work).length)
          return changed(old.length, { ...state, outbox: removed(state.outbox, old) })
        })
    })
  })
)
