import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { Reactivity } from "effect/reactivity/Reactivity"
import * as Semaphore from "effect/Semaphore"
import { BeginTransaction, type SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { CommitGroups } from "./CommitGroup.ts"
import type { Restore } from "./ConnectionQueue.ts"

type Service = SqlClient["transactionService"]

/** What a context has in an open transaction: its connection, and the number of transactions around it. */
type Level = Service["Service"]

/** The state of one open transaction. */
interface Open {
  /** The transaction in which this one is a savepoint. */
  readonly outer: Open | undefined
  /** What runs when the outermost transaction has committed. */
  readonly callbacks: Array<Effect.Effect<void>>
  /** Lets one nested transaction after the other run. Made for the first one. */
  turns: Semaphore.Semaphore | undefined
  hasEnded: boolean
}

/** The same reference as in `effect/sql`, which does not export it. `SqlResolver` finds the transaction by it. */
const CurrentTransactionService = Context.Reference<Service | undefined>("effect/sql/CurrentTransactionService", {
  defaultValue: () => undefined
})

/**
 * Returns `withTransaction` and `afterCommit` of a client.
 *
 * They behave as those of `SqlClient.makeWithTransaction`. That makes a span, a scope and four copies of all services for
 * each transaction, which costs more than the statements of a short one. Here a transaction that is not traced adds two
 * services to the context.
 */
export const make = (
  service: Service,
  groups: CommitGroups,
  spanAttributes: ReadonlyArray<readonly [string, unknown]>
): Pick<SqlClient, "withTransaction" | "afterCommit"> => {
  const transactions = new WeakMap<Level, Open>()

  const openIn = (fiber: Fiber.Fiber<unknown, unknown>): Open | undefined => {
    const level = Context.getOrUndefined(fiber.context, service)
    return level && transactions.get(level)
  }

  const afterCommit = <R>(effect: Effect.Effect<void, never, R>): Effect.Effect<void, never, R> =>
    Effect.withFiber<void, never, R>((fiber) => {
      const open = openIn(fiber)
      if (open === undefined) return runCallback(effect)
      for (let one: Open | undefined = open; one !== undefined; one = one.outer) {
        if (one.hasEnded) return Effect.die(new Error("SqlClient.afterCommit: the transaction has already ended"))
      }
      // Runs later with the present services, without the transaction.
      /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
        -- The fiber has every service that the effect needs. */
      const services = Context.omit(service)(fiber.context) as Context.Context<R>
      open.callbacks.push(Effect.provideContext(effect, services))
      return Effect.void
    })

  /** Returns the services of the effect of a transaction. Invalidations of queries wait for the COMMIT. */
  const inside =
    (level: Level) =>
    <R>(services: Context.Context<R>): Context.Context<R> => {
      const added = services.pipe(Context.add(service, level), Context.add(CurrentTransactionService, service))
      const reactivity = Context.getOrUndefined(services, Reactivity)
      if (reactivity === undefined) return added
      const invalidate: typeof reactivity.invalidate = (keys) =>
        afterCommit(Effect.sync(() => reactivity.invalidateUnsafe(keys)))
      return Context.add(added, Reactivity, {
        ...reactivity,
        invalidate,
        mutation: (keys, effect) => Effect.tap(effect, invalidate(keys))
      })
    }

  /** Runs an effect in a transaction that has begun. */
  const run = <A, E, R>(
    level: Level,
    open: Open,
    restore: Restore,
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> => {
    transactions.set(level, open)
    return withEvent(level, Effect.updateContext(restore(effect), inside(level)))
  }

  /** Ends a transaction, and runs its callbacks when the outermost one has committed. */
  const settle = <A, E, R>(open: Open, transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.onExit(transaction, (exit) => {
      open.hasEnded = true
      if (Exit.isFailure(exit) || open.callbacks.length === 0) return Effect.void
      if (open.outer === undefined) return Effect.forEach(open.callbacks, runCallback, { discard: true })
      open.outer.callbacks.push(...open.callbacks)
      return Effect.void
    })

  const outermost = <A, E, R>(begin: string | undefined, effect: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore) => {
      const open = opened(undefined)
      return settle(
        open,
        groups.transaction(restore, begin, (member) => run([member, 0], open, restore, effect))
      )
    })

  const nested = <A, E, R>([connection, depth]: Level, outer: Open | undefined, effect: Effect.Effect<A, E, R>) => {
    const id = depth + 1
    const open = opened(outer)
    const execute = (sql: string) => Effect.asVoid(connection.execute(sql, [], undefined))
    const unlessRolledBack = (sql: string) =>
      Effect.suspend(() => (groups.isOpen(connection) ? Effect.orDie(execute(sql)) : Effect.void))
    const savepoint = Effect.uninterruptibleMask((restore) =>
      execute(`SAVEPOINT effect_sql_${id}`).pipe(
        Effect.flatMap(() => Effect.exit(run([connection, id], open, restore, effect))),
        Effect.flatMap((exit) =>
          (Exit.isSuccess(exit) ? Effect.void : unlessRolledBack(`ROLLBACK TO SAVEPOINT effect_sql_${id}`)).pipe(
            Effect.andThen(unlessRolledBack(`RELEASE SAVEPOINT effect_sql_${id}`)),
            Effect.andThen(exit)
          )
        ),
        (transaction) => settle(open, transaction)
      )
    )
    if (outer === undefined) return savepoint
    outer.turns ??= Semaphore.makeUnsafe(1)
    return outer.turns.withPermit(savepoint)
  }

  const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    Effect.withFiber((fiber) => {
      const level = Context.getOrUndefined(fiber.context, service)
      return level === undefined
        ? outermost(fiber.getRef(BeginTransaction), effect)
        : nested(level, transactions.get(level), effect)
    })

  const traced = Tracing.span("sql.transaction", { kind: "internal", attributes: Object.fromEntries(spanAttributes) })

  return { afterCommit, withTransaction: (effect) => traced(transaction(effect)) }
}

/** Adds to the span of a traced transaction how it ends. */
const withEvent = <A, E, R>([, depth]: Level, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    if (!Tracing.isTraced(fiber)) return effect
    return Effect.onExit(effect, (exit) =>
      Effect.zipWith(Effect.option(Effect.currentSpan), Clock.currentTimeNanos, (span, now) => {
        const end = Exit.isFailure(exit) ? "rollback" : depth === 0 ? "commit" : "savepoint"
        if (Option.isSome(span)) span.value.event(`effect.sql.transaction.${end}`, now)
      })
    )
  })

const opened = (outer: Open | undefined): Open => ({ outer, callbacks: [], turns: undefined, hasEnded: false })

const runCallback = <R>(effect: Effect.Effect<void, never, R>): Effect.Effect<void, never, R> =>
  Effect.ignoreCause(effect, { log: "Unhandled", message: "Unhandled error in SqlClient.afterCommit callback" })
