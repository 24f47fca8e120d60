import type { AccountId } from "@frontdesk/core/access/Account"
import * as FairShare from "@frontdesk/core/background/FairShare"
import { nothingTaken, OutboxStore, type TakenPlaces } from "@frontdesk/core/outbox/OutboxStore"
import { lineKey, lineOf, type OutboxTask, type OutboxTaskId, type OutboxWork } from "@frontdesk/core/outbox/OutboxTask"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { mutantsOf } from "./Mutant.ts"

type Store = OutboxStore["Service"]

/** A task that is due, and since when. */
interface Due {
  readonly task: OutboxTask
  readonly since: DateTime.Utc
}

/** Returns a store that remembers when each task is due, and a function that returns it for a task of a claim. */
const rememberDueTimes = (store: Store) => {
  const added: Array<{ readonly accountId: AccountId; readonly work: string; readonly dueAt: DateTime.Utc }> = []
  const times = new Map<OutboxTaskId, DateTime.Utc>()
  const owners = new Map<OutboxTaskId, string | null>()
  const remember = (accountId: AccountId, work: ReadonlyArray<OutboxWork | null>, dueAt: DateTime.Utc) => {
    for (const one of work) added.push({ accountId, work: JSON.stringify(one), dueAt })
  }
  const setTime = (id: OutboxTaskId, dueAt: DateTime.Utc) => {
    owners.set(id, null)
    times.set(id, dueAt)
  }
  const members: Pick<Store, "add" | "postpone" | "release" | "renew" | "retryAt"> = {
    add: (accountId, work, dueAt) => {
      remember(accountId, work, dueAt)
      return store.add(accountId, work, dueAt)
    },
    retryAt: (task, until) => {
      setTime(task.id, until)
      return store.retryAt(task, until)
    },
    postpone: (task, until) => {
      setTime(task.id, until)
      return store.postpone(task, until)
    },
    release: (owner, now) => {
      for (const [id, present] of owners) if (present === owner) setTime(id, now)
      return store.release(owner, now)
    },
    renew: Effect.fnUntraced(function* (filter, before, limit, dueAt) {
      const { items } = yield* store.deadLettered(filter, { page: 1, limit: 1_000 })
      const step = yield* store.renew(filter, before, limit, dueAt)
      const tasks = items.filter(({ id }) => step.renewed.some((one) => one.id === id))
      for (const { accountId, work } of tasks.toReversed()) remember(accountId, [work], dueAt)
      return step
    })
  }
  const dueTime = ({ accountId, id, work }: OutboxTask, now: DateTime.Utc): DateTime.Utc => {
    const known = times.get(id)
    if (known !== undefined) return known
    const text = JSON.stringify(work)
    const index = added.findIndex((one) => one.accountId === accountId && one.work === text)
    return (index < 0 ? undefined : added.splice(index, 1)[0])?.dueAt ?? now
  }
  const lease = (id: OutboxTaskId, until: DateTime.Utc, owner: string | null) => {
    times.set(id, until)
    owners.set(id, owner)
  }
  return { members, dueTime, lease }
}

const owners = {
  account: ({ task }: Due) => task.accountId,
  line: ({ task }: Due) => lineKey(task.accountId, lineOf(task.work))
}

/** Returns the tasks that get the free places, in the order of insertion. */
const share = (due: ReadonlyArray<Due>, limit: number, taken: TakenPlaces): ReadonlyArray<Due> =>
  FairShare.choose(due, owners, { ...taken, free: limit }).toSorted((a, b) => a.task.id - b.task.id)

/** Returns a mutation that chooses among all tasks that are due. */
const choosing =
  (choose: (due: ReadonlyArray<Due>, limit: number, taken: TakenPlaces) => ReadonlyArray<Due>) =>
  (store: Store): Partial<Store> => {
    const { dueTime, lease, members } = rememberDueTimes(store)
    return {
      ...members,
      claim: Effect.fnUntraced(function* (now, leaseUntil, limit, owner = null, taken = nothingTaken) {
        const tasks = yield* store.claim(now, leaseUntil, 100_000, owner)
        const due = tasks.map((task) => ({ task, since: dueTime(task, now) })).toSorted(byDue)
        const chosen = choose(due, limit, taken)
        for (const { since, task } of due) {
          if (chosen.some((one) => one.task.id === task.id)) lease(task.id, leaseUntil, owner)
          else yield* members.postpone(task, since)
        }
        return chosen.map(({ task }) => task)
      })
    }
  }

const byDue = (a: Due, b: Due) => DateTime.Order(a.since, b.since) || a.task.id - b.task.id

/** Returns a mutation that has another order of the tasks of a line. */
const ordering = (compare: (a: Due, b: Due) => number) =>
  choosing((due, limit, taken) => share(due.toSorted(compare), limit, taken))

/** Mutants of `OutboxStore.claim` that claim in another order than the longest due task of a line first. */
export const claimOrder = mutantsOf(OutboxStore, {
  "claim gives the places of a line to the oldest tasks": ordering((a, b) => a.task.id - b.task.id),
  "claim gives the places of a line to the newest of the tasks that are due at the same time": ordering(
    (a, b) => DateTime.Order(a.since, b.since) || b.task.id - a.task.id
  ),
  "claim gives the places of a line to the tasks that are due last": ordering((a, b) => byDue(b, a)),
  "claim gives the places of a line to new tasks before retries": ordering(
    (a, b) => Math.min(1, a.task.attempts) - Math.min(1, b.task.attempts) || byDue(a, b)
  ),
  "claim gives the places of a line to retries before new tasks": ordering(
    (a, b) => Math.min(1, b.task.attempts) - Math.min(1, a.task.attempts) || byDue(a, b)
  ),
  "claim returns the longest due task first instead of the oldest": choosing((due, limit, taken) =>
    share(due, limit, taken).toSorted(byDue)
  )
})

/**
 * A claim without a fault, made like those of {@link claimOrder}. All suites pass with it, so the suites find a mutant by
 * its fault and not by how it is made.
 */
export const claimOrderWithoutFault = mutantsOf(OutboxStore, { choosing: choosing(share) })
