import * as Signal from "@frontdesk/core/background/Signal"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import * as State from "./State.ts"

/** A change of the state with what it answers; a failure changes nothing. */
export type Change<A> = Result.Result<readonly [answer: A, next: State.State], StorageError>

/** A change that succeeds. */
export const changed = <A>(answer: A, next: State.State): Change<A> => Result.succeed([answer, next])

/** A refusal because a unique value is taken. */
export const duplicate = (operation: string, cause: string): Change<never> =>
  Result.fail(new StorageError({ reason: "duplicate", operation, cause }))

/**
 * A version of the state: what is committed, or the draft of a transaction that began from its parent.
 *
 * Writes to a version and transactions that begin from it take turns, so a nested transaction is to its transaction
 * what that is to the storage.
 */
interface Version {
  state: State.State
  open: boolean
  readonly parent: Version | null
  readonly turn: Semaphore.Semaphore
}

const begin = (state: State.State, parent: Version | null): Version => ({
  state,
  open: true,
  parent,
  turn: Semaphore.makeUnsafe(1)
})

/** The drafts the running fiber writes to, by the storage they belong to: a program may use several storages. */
const Drafts = Context.Reference<ReadonlyMap<Version, Version>>("@frontdesk/storage-memory/storage/Drafts", {
  defaultValue: () => new Map()
})

/** What outlives its transaction writes to what that took part in. */
const opened = (version: Version): Version =>
  version.open || version.parent === null ? version : opened(version.parent)

/** The place where everything is stored. */
export class Database extends Context.Service<
  Database,
  {
    /** Reads the state as the running fiber sees it. */
    readonly read: <A>(look: (state: State.State) => A) => Effect.Effect<A>
    /** Changes the state in one step, after the transactions before it. */
    readonly modify: <A>(change: (state: State.State) => Change<A>) => Effect.Effect<A, StorageError>
    /** Runs an effect on a draft, which is thrown away unless the effect succeeds. */
    readonly transaction: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("@frontdesk/storage-memory/storage/Database") {
  /** An empty storage, a new one each time it is built. */
  static readonly layer: Layer.Layer<Database> = Layer.sync(Database, () => {
    const committed = begin(State.empty, null)
    const drafts = Effect.service(Drafts)
    const current = Effect.map(drafts, (all) => opened(all.get(committed) ?? committed))

    return Database.of({
      read: (look) => Effect.map(current, (version) => look(version.state)),
      modify: (change) =>
        Effect.flatMap(current, (version) =>
          version.turn.withPermit(
            Effect.suspend(() => {
              const result = change(version.state)
              if (Result.isFailure(result)) return Effect.fail(result.failure)
              version.state = result.success[1]
              return Effect.succeed(result.success[0])
            })
          )
        ),
      transaction: (effect) =>
        Effect.flatMap(Effect.all([drafts, current]), ([all, version]) =>
          version.turn.withPermit(
            Effect.suspend(() => {
              const draft = begin(version.state, version)
              return effect.pipe(
                Effect.provideService(Drafts, new Map(all).set(committed, draft)),
                Effect.onExit((exit) =>
                  Effect.sync(() => {
                    if (exit._tag === "Success") version.state = draft.state
                    draft.open = false
                  })
                )
              )
            })
          )
        )
    })
  })
}

/** Transactions of the memory storage: one at a time. */
export const layerTransaction: Layer.Layer<Transaction, never, Database> = Layer.effect(
  Transaction,
  Effect.map(Database, (database) =>
    Transaction.of({ run: (effect) => Signal.afterTransaction(database.transaction(effect)) })
  )
)
