import { AccountId } from "@frontdesk/core/access/Account"
import { IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import { nothingTaken, OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { ProvisioningStore } from "@frontdesk/core/provisioning/ProvisioningStore"
import * as Signal from "@frontdesk/core/background/Signal"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { justAfter, justBefore, mutantsOf, reversed, reversedPage } from "./Mutant.ts"

/** The defect with which a transaction is rolled back on purpose. */
class RolledBack extends Error {}

/** How deep the running fiber is in transactions, and whether one inside has failed. */
const Open = Context.Reference<{ hasFailed: boolean } | null>("@frontdesk/testing/mutant/Open", {
  defaultValue: () => null
})

/** Returns a `Transaction` that also commits an effect that ends with such a cause. */
const committing = (real: Transaction["Service"], isCommitted: (cause: Cause.Cause<unknown>) => boolean) => ({
  run: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatten(
        real.run(
          Effect.matchCauseEffect(restore(effect), {
            onSuccess: (value) => Effect.succeed(Exit.succeed(value)),
            onFailure: (cause): Effect.Effect<Exit.Exit<A, E>, E> =>
              isCommitted(cause) ? Effect.succeed(Exit.failCause(cause)) : Effect.failCause(cause)
          })
        )
      )
    )
})

/** Mutants of `Transaction`. */
export const transaction = mutantsOf(Transaction, {
  "a transaction that fails commits": (real) => committing(real, Cause.hasFails),
  "a transaction that dies commits": (real) => committing(real, Cause.hasDies),
  "a transaction that is interrupted commits": (real) => committing(real, Cause.hasInterrupts),
  "a transaction that succeeds does not commit": (real) => ({
    run: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        let value: A
        const rolledBack = new RolledBack()
        return real
          .run(
            Effect.flatMap(effect, (result) => {
              value = result
              return Effect.die(rolledBack)
            })
          )
          .pipe(Effect.catchDefect((defect) => (defect === rolledBack ? Effect.sync(() => value) : Effect.die(defect))))
      })
  }),
  "a transaction inside another does not undo its writes": (real) => ({
    run: (effect) =>
      Effect.flatMap(Open, (open) =>
        open === null ? real.run(Effect.provideService(effect, Open, { hasFailed: false })) : effect
      )
  }),
  "a failure of a transaction inside another undoes the outer one": (real) => ({
    run: (effect) =>
      Effect.flatMap(Open, (outer) => {
        if (outer !== null) return Effect.onError(real.run(effect), () => Effect.sync(() => (outer.hasFailed = true)))
        const open = { hasFailed: false }
        return real.run(
          Effect.tap(Effect.provideService(effect, Open, open), () =>
            open.hasFailed ? Effect.die("an inner transaction failed") : Effect.void
          )
        )
      })
  }),
  "transactions are not isolated, run at the same time and undo nothing": () => ({
    run: (effect) => Signal.afterTransaction(effect)
  }),
  "a signal is sent before the commit": (real) => ({
    run: (effect) => {
      const { defer, release } = Signal.deferring()
      return real.run(Effect.ensuring(defer(effect), release))
    }
  }),
  "a signal is sent when an inner transaction has ended": (real) => ({
    run: (effect) => {
      const { defer, release } = Signal.deferring()
      return Effect.ensuring(real.run(defer(effect)), release)
    }
  }),
  "a signal is lost when the transaction fails": (real) => ({
    run: (effect) => {
      const { defer, release } = Signal.deferring()
      return Effect.tap(real.run(defer(effect)), release)
    }
  })
})

/** Mutants of `OutboxStore`. */
export const outboxStore = mutantsOf(OutboxStore, {
  "add drops the last of several tasks": (store) => ({
    add: (accountId, work, dueAt) => store.add(accountId, work.length > 1 ? work.slice(0, -1) : work, dueAt)
  }),
  "add makes tasks due a millisecond early": (store) => ({
    add: (accountId, work, dueAt) => store.add(accountId, work, justBefore(dueAt))
  }),
  "claim returns a task a millisecond late": (store) => ({
    claim: (now, leaseUntil, limit, owner, taken) => store.claim(justBefore(now), leaseUntil, limit, owner, taken)
  }),
  "claim does not lease": (store) => ({
    claim: (now, _leaseUntil, limit, owner, taken) => store.claim(now, now, limit, owner, taken)
  }),
  "claim leases a millisecond longer": (store) => ({
    claim: (now, leaseUntil, limit, owner, taken) => store.claim(now, justAfter(leaseUntil), limit, owner, taken)
  }),
  "claim ignores the limit": (store) => ({
    claim: (now, leaseUntil, _limit, owner, taken) => store.claim(now, leaseUntil, 1_000, owner, taken)
  }),
  "claim returns the longest due last": (store) => ({
    claim: (now, leaseUntil, limit, owner, taken) => reversed(store.claim(now, leaseUntil, limit, owner, taken))
  }),
  "claim ignores the places that are taken": (store) => ({
    claim: (now, leaseUntil, limit, owner) => store.claim(now, leaseUntil, limit, owner)
  }),
  "claim ignores the places that an account has taken": (store) => ({
    claim: (now, leaseUntil, limit, owner, taken) =>
      store.claim(now, leaseUntil, limit, owner, taken && { ...taken, takenByAccount: new Map() })
  }),
  "claim ignores the places that a line has taken": (store) => ({
    claim: (now, leaseUntil, limit, owner, taken) =>
      store.claim(now, leaseUntil, limit, owner, taken && { ...taken, takenByLine: new Map() })
  }),
  "claim ignores perLine": (store) => ({
    claim: (now, leaseUntil, limit, owner, taken) =>
      store.claim(now, leaseUntil, limit, owner, taken && { ...taken, perLine: nothingTaken.perLine })
  }),
  "claim leaves no place free for accounts that have none": (store) => ({
    claim: Effect.fnUntraced(function* (now, leaseUntil, limit, owner, taken) {
      const tasks = yield* store.claim(now, leaseUntil, limit, owner, taken)
      if (tasks.length === limit) return tasks
      return [...tasks, ...(yield* store.claim(now, leaseUntil, limit - tasks.length, owner))]
    })
  }),
  "claim gives a line one place when no places are given": (store) => ({
    claim: (now, leaseUntil, limit, owner, taken = { ...nothingTaken, perLine: 1 }) =>
      store.claim(now, leaseUntil, limit, owner, taken)
  }),
  "claim without an owner claims for some owner": (store) => ({
    claim: (now, leaseUntil, limit, owner, taken) => store.claim(now, leaseUntil, limit, owner ?? "one", taken)
  }),
  "claim returns nothing although a task is due": (store) => {
    let calls = 0
    return {
      claim: (now, leaseUntil, limit, owner, taken) =>
        Effect.suspend(() =>
          ++calls % 5 === 0 ? Effect.succeed([]) : store.claim(now, leaseUntil, limit, owner, taken)
        )
    }
  },
  "claim returns all tasks as those of one account": (store) => ({
    claim: (now, leaseUntil, limit, owner, taken) =>
      Effect.map(store.claim(now, leaseUntil, limit, owner, taken), (tasks) =>
        tasks.map((task) => ({ ...task, accountId: AccountId.make(1) }))
      )
  }),
  "claim ignores the owner": (store) => ({
    claim: (now, leaseUntil, limit, _owner, taken) => store.claim(now, leaseUntil, limit, null, taken)
  }),
  "claim counts no attempts": (store) => ({
    claim: (now, leaseUntil, limit, owner, taken) =>
      Effect.map(store.claim(now, leaseUntil, limit, owner, taken), (tasks) =>
        tasks.map((task) => ({ ...task, attempts: 0 }))
      )
  }),
  "complete has no effect": () => ({ complete: () => Effect.void }),
  "retryAt has no effect": () => ({ retryAt: () => Effect.void }),
  "retryAt does not count the attempt": (store) => ({ retryAt: (task, until) => store.postpone(task, until) }),
  "retryAt makes a task due a millisecond late": (store) => ({
    retryAt: (task, until) => store.retryAt(task, justAfter(until))
  }),
  "postpone counts the attempt": (store) => ({ postpone: (task, until) => store.retryAt(task, until) }),
  "postpone makes a task due a millisecond early": (store) => ({
    postpone: (task, until) => store.postpone(task, justBefore(until))
  }),
  "deadLetter deletes the task": (store) => ({ deadLetter: (task) => Effect.as(store.complete(task), true) }),
  "deadLetter has no effect": () => ({ deadLetter: () => Effect.succeed(true) }),
  "deadLetter does not store the error": (store) => ({
    deadLetter: (task, _error, now) => store.deadLetter(task, "error", now)
  }),
  "complete of a stale claim deletes the task": (store) => ({
    complete: (task) =>
      Effect.forEach([0, 1, 2, 3], (more) => store.complete({ ...task, attempts: task.attempts + more }), {
        discard: true
      })
  }),
  "retryAt of a stale claim makes the task due": (store) => ({
    retryAt: (task, until) =>
      Effect.forEach([0, 1, 2, 3], (more) => store.retryAt({ ...task, attempts: task.attempts + more }, until), {
        discard: true
      })
  }),
  "postpone of a stale claim makes the task due": (store) => ({
    postpone: (task, until) =>
      Effect.forEach([1, 0], (more) => store.postpone({ ...task, attempts: task.attempts + more }, until), {
        discard: true
      })
  }),
  "deadLetter of a stale claim dead-letters the task": (store) => ({
    deadLetter: (task, error, now) =>
      Effect.map(
        Effect.forEach([0, 1, 2, 3], (more) =>
          store.deadLetter({ ...task, attempts: task.attempts + more }, error, now)
        ),
        ([first = false]) => first
      )
  }),
  "deadLetter of a stale claim returns true": (store) => ({
    deadLetter: (task, error, now) => Effect.as(store.deadLetter(task, error, now), true)
  }),
  "deadLetter returns false": (store) => ({
    deadLetter: (task, error, now) => Effect.as(store.deadLetter(task, error, now), false)
  }),
  "count counts nothing": () => ({ count: () => Effect.succeed({ waiting: 0, deadLettered: new Map() }) }),
  "count ignores the maximum": (store) => ({ count: () => store.count(1_000) }),
  "deadLettered returns the oldest task first": (store) => ({
    deadLettered: (filter, page) => reversedPage(store.deadLettered(filter, page))
  }),
  "deadLettered ignores the account": (store) => ({
    deadLettered: (filter, page) => store.deadLettered({ ...filter, accountId: undefined }, page)
  }),
  "deadLettered ignores the kind": (store) => ({
    deadLettered: (filter, page) => store.deadLettered({ ...filter, tag: undefined }, page)
  }),
  "deadLettered ignores the id": (store) => ({
    deadLettered: (filter, page) => store.deadLettered({ ...filter, id: undefined }, page)
  }),
  "release has no effect": () => ({ release: () => Effect.succeed(0) }),
  "release makes tasks due a millisecond late": (store) => ({
    release: (owner, now) => store.release(owner, justAfter(now))
  }),
  "sweep has no effect": () => ({ sweep: () => Effect.succeed(0) }),
  "sweep deletes a task that was dead-lettered at the instant": (store) => ({
    sweep: (before, limit) => store.sweep(justAfter(before), limit)
  }),
  "sweep ignores the limit of rows": (store) => ({
    sweep: (before, limit) => store.sweep(before, { ...limit, rows: 1_000 })
  }),
  "sweep ignores the limit of bytes": (store) => ({
    sweep: (before, limit) => store.sweep(before, { ...limit, bytes: Number.MAX_SAFE_INTEGER })
  })
})

/** Mutants of `IdempotencyStore`. */
export const idempotencyStore = mutantsOf(IdempotencyStore, {
  "begin ignores the account": (store) => ({
    begin: (scope, digest, times) => store.begin({ ...scope, accountId: AccountId.make(1) }, digest, times)
  }),
  "begin ignores the method": (store) => ({
    begin: (scope, digest, times) => store.begin({ ...scope, method: "POST" }, digest, times)
  }),
  "begin ignores the path": (store) => ({
    begin: (scope, digest, times) => store.begin({ ...scope, path: "/" }, digest, times)
  }),
  "begin ignores the case of the key": (store) => ({
    begin: (scope, digest, times) => store.begin({ ...scope, key: scope.key.toLowerCase() }, digest, times)
  }),
  "begin ignores the body": (store) => ({ begin: (scope, _digest, times) => store.begin(scope, "", times) }),
  "begin returns Started for every request": (store) => ({
    begin: (scope, digest, times) =>
      Effect.map(store.begin(scope, digest, times), (state) =>
        state._tag === "Running" ? { _tag: "Started", token: "" } : state
      )
  }),
  "begin does not expire a key": (store) => ({
    begin: (scope, digest, times) => store.begin(scope, digest, { ...times, expiresAt: justAfter(times.expiresAt) })
  }),
  "begin expires a key early": (store) => ({
    begin: (scope, digest, times) => store.begin(scope, digest, { ...times, expiresAt: justBefore(times.expiresAt) })
  }),
  "begin takes over no key": (store) => ({
    begin: (scope, digest, times) => store.begin(scope, digest, { ...times, takeOverBefore: null })
  }),
  "begin takes over every key": (store) => ({
    begin: (scope, digest, times) => store.begin(scope, digest, { ...times, takeOverBefore: justAfter(times.now) })
  }),
  "begin takes over a key from exactly the time": (store) => ({
    begin: (scope, digest, times) =>
      store.begin(scope, digest, {
        ...times,
        takeOverBefore: times.takeOverBefore && justAfter(times.takeOverBefore)
      })
  }),
  "begin returns Running for a key that was executed": (store) => ({
    begin: (scope, digest, times) =>
      Effect.map(store.begin(scope, digest, times), (state) =>
        state._tag === "Executed" ? { _tag: "Running" as const } : state
      )
  }),
  "markExecuted has no effect": () => ({ markExecuted: () => Effect.succeed(true) }),
  "markExecuted does not store the answer": (store) => ({
    markExecuted: (scope, token) => store.markExecuted(scope, token, null)
  }),
  "markExecuted returns true for a lost claim": (store) => ({
    markExecuted: (scope, token, answer) => Effect.as(store.markExecuted(scope, token, answer), true)
  }),
  "complete has no effect": () => ({ complete: () => Effect.succeed(true) }),
  "complete returns true for a lost claim": (store) => ({
    complete: (scope, token, answer) => Effect.as(store.complete(scope, token, answer), true)
  }),
  "complete does not store the status": (store) => ({
    complete: (scope, token, answer) => store.complete(scope, token, { ...answer, status: 200 })
  }),
  "release has no effect": () => ({ release: () => Effect.succeed(true) }),
  "release returns true for a lost claim": (store) => ({
    release: (scope, token) => Effect.as(store.release(scope, token), true)
  }),
  "sweep has no effect": () => ({ sweep: () => Effect.succeed(0) }),
  "sweep deletes keys that have not expired": (store) => ({
    sweep: (now, limit) => store.sweep(justAfter(now), limit)
  }),
  "sweep ignores the limit of rows": (store) => ({
    sweep: (now, limit) => store.sweep(now, { ...limit, rows: 1_000 })
  }),
  "sweep ignores the limit of bytes": (store) => ({
    sweep: (now, limit) => store.sweep(now, { ...limit, bytes: Number.MAX_SAFE_INTEGER })
  })
})

/** Mutants of `ProvisioningStore`. */
export const provisioningStore = mutantsOf(ProvisioningStore, {
  "find returns none": () => ({ find: () => Effect.succeedNone }),
  "find ignores the kind": (store) => ({
    find: (ref) => store.find({ ...ref, kind: "account" }),
    insert: (ref, id) => store.insert({ ...ref, kind: "account" }, id)
  }),
  "find ignores the account": (store) => ({
    find: (ref) => store.find({ ...ref, accountRef: "" }),
    insert: (ref, id) => store.insert({ ...ref, accountRef: "" }, id)
  }),
  "find ignores upper and lower case": (store) => ({
    find: (ref) => store.find({ ...ref, ref: ref.ref.toLowerCase() }),
    insert: (ref, id) => store.insert({ ...ref, ref: ref.ref.toLowerCase() }, id)
  }),
  "insert ignores a ref that has an id": (store) => ({
    insert: (ref, id) =>
      Effect.catchIf(
        store.insert(ref, id),
        ({ reason }) => reason === "duplicate",
        () => Effect.void
      )
  }),
  "replace has no effect": () => ({ replace: () => Effect.void }),
  "replace ignores the kind": (store) => ({
    replace: (ref, id) =>
      Effect.forEach(["agent", "contact"] as const, (kind) => store.replace({ ...ref, kind }, id), { discard: true })
  }),
  "replace ignores the account": (store) => ({
    replace: (ref, id) =>
      Effect.forEach([ref.accountRef, "other"], (accountRef) => store.replace({ ...ref, accountRef }, id), {
        discard: true
      })
  }),
  "replace inserts a ref without an id": (store) => ({
    replace: (ref, id) =>
      Effect.catchIf(
        store.insert(ref, id),
        ({ reason }) => reason === "duplicate",
        () => store.replace(ref, id)
      )
  }),
  "list ignores the limit": (store) => ({ list: (within, after) => store.list(within, after, 10_000) }),
  "list ignores `after`": (store) => ({ list: (within, _after, limit) => store.list(within, null, limit) }),
  "list is in reverse order": (store) => ({
    list: (within, after, limit) => reversed(store.list(within, after, limit))
  }),
  "list ignores the account": (store) => ({
    list: (within, after, limit) => store.list({ ...within, accountRef: "" }, after, limit)
  })
})
