import type { AccountId } from "@frontdesk/core/access/Account"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { Page } from "@frontdesk/core/values/Page"
import type * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Returns the layer with an adapter that breaks one promise of its port. */
export type Mutate<Self> = <A, E, R>(layer: Layer.Layer<A | Self, E, R>) => Layer.Layer<A | Self, E, R>

/** Mutants of a port, by what each does wrong. A suite of the port must find every one of them. */
export type Mutants<Self> = Readonly<Record<string, Mutate<Self>>>

/**
 * Returns a mutant of a port for each mutation.
 *
 * @param port the port
 * @param mutations what each mutant does wrong, and the members that do it. The other members are those of the adapter,
 *   which must be a plain object. A mutation is called once for each build of the layer, so it may have state.
 *
 * @example
 * ```ts
 * const mutants = mutantsOf(TeamStore, {
 *   "rename has no effect": () => ({ rename: () => Effect.void })
 * })
 * const broken = mutants["rename has no effect"]?.(MemoryStorage.layer)
 * ```
 */
export const mutantsOf = <Self, Shape extends object>(
  port: Context.Key<Self, Shape>,
  mutations: Readonly<Record<string, (adapter: Shape) => Partial<Shape>>>
): Mutants<Self> => {
  const mutantOf =
    (mutation: (adapter: Shape) => Partial<Shape>): Mutate<Self> =>
    (layer) =>
      Layer.effect(
        port,
        Effect.map(Effect.service(port), (adapter) => ({ ...adapter, ...mutation(adapter) }))
      ).pipe(Layer.provideMerge(layer))
  return Object.fromEntries(Object.entries(mutations).map(([fault, mutation]) => [fault, mutantOf(mutation)]))
}

/**
 * Returns a mutant of a store whose writes stay when their transaction fails: the store is that of another storage.
 *
 * @param elsewhere a storage that shares nothing with the adapter
 */
export const withoutTransactions =
  <Self, Shape, B, E2>(port: Context.Key<Self, Shape>, elsewhere: Layer.Layer<B | Self, E2>) =>
  <A, E, R>(layer: Layer.Layer<A | Self, E, R>): Layer.Layer<A | Self, E | E2, R> =>
    Layer.effect(port, Effect.service(port)).pipe(Layer.provide(Layer.fresh(elsewhere)), Layer.provideMerge(layer))

/** Returns a read of a list that returns the rows in reverse order. */
export const reversed = <A, E, R>(list: Effect.Effect<ReadonlyArray<A>, E, R>): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.map(list, (rows) => rows.toReversed())

/** Returns a read of a page that returns the rows of the page in reverse order. */
export const reversedPage = <A, E, R>(page: Effect.Effect<Page<A>, E, R>): Effect.Effect<Page<A>, E, R> =>
  Effect.map(page, (found) => ({ ...found, items: found.items.toReversed() }))

/** Returns a method that calls the original for the first call with an argument only, and then returns that result. */
export const onlyFirst = <Args extends ReadonlyArray<unknown>, A, E>(
  method: (...args: Args) => Effect.Effect<A, E>
): ((...args: Args) => Effect.Effect<A, E>) => repeating(method, Number.POSITIVE_INFINITY)

/**
 * Returns a read without its lock. Of two calls with the same arguments the second returns what the first has read, as if
 * both transactions had read before either of them wrote.
 */
export const withoutLock = <Args extends ReadonlyArray<unknown>, A, E>(
  read: (...args: Args) => Effect.Effect<A, E>
): ((...args: Args) => Effect.Effect<A, E>) => repeating(read, 1)

const repeating = <Args extends ReadonlyArray<unknown>, A, E>(
  method: (...args: Args) => Effect.Effect<A, E>,
  repeats: number
) => {
  const results = new Map<string, { readonly result: A; left: number }>()
  return (...args: Args): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const key = JSON.stringify(args)
      const known = results.get(key)
      if (known !== undefined && known.left > 0) {
        known.left -= 1
        return Effect.succeed(known.result)
      }
      return Effect.tap(method(...args), (result) => Effect.sync(() => results.set(key, { result, left: repeats })))
    })
}

/** Returns the instant without its milliseconds. */
export const wholeSeconds = (at: DateTime.Utc): DateTime.Utc => DateTime.startOf(at, "second")

/** Returns the instant a millisecond earlier. */
export const justBefore = (at: DateTime.Utc): DateTime.Utc => DateTime.subtract(at, { milliseconds: 1 })

/** Returns the instant a millisecond later. */
export const justAfter = (at: DateTime.Utc): DateTime.Utc => DateTime.add(at, { milliseconds: 1 })

/** Returns an insert that remembers which account owns a row, and a function that returns the owner of an id. */
export const rememberOwners = <New extends { readonly accountId: AccountId }, Row extends { readonly id: number }, E>(
  insert: (row: New) => Effect.Effect<Row, E>
) => {
  const owners = new Map<number, AccountId>()
  return {
    insert: (row: New) => Effect.tap(insert(row), ({ id }) => Effect.sync(() => owners.set(id, row.accountId))),
    ownerOf: (id: number, present: AccountId): AccountId => owners.get(id) ?? present
  }
}

/** Returns an insert that succeeds where the original fails with `duplicate`: it inserts the row that `vary` returns. */
export const acceptingDuplicates =
  <New, Row>(insert: (row: New) => Effect.Effect<Row, StorageError>, vary: (row: New) => New) =>
  (row: New): Effect.Effect<Row, StorageError> =>
    Effect.catchIf(
      insert(row),
      ({ reason }) => reason === "duplicate",
      () => insert(vary(row))
    )

/** Returns a page without the rows that fail the predicate. */
export const filterPage = <A, E, R>(
  page: Effect.Effect<Page<A>, E, R>,
  predicate: (row: A) => boolean
): Effect.Effect<Page<A>, E, R> =>
  Effect.map(page, (found) => ({ ...found, items: found.items.filter((row) => predicate(row)) }))
