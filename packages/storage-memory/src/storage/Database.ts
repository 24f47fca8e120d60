import * as Signal from "@frontdesk/core/background/Signal"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import * as State from "./State.ts"

/** The result of a call and the state after it, or a failure that leaves the state as it is. */
export type Change<A> = Result.Result<readonly [answer: A, next: State.State], StorageError>

/** Returns a change that succeeds with a result and a new state. */
export const changed = <A>(answer: A, next: State.State): Change<A> => Result.succeed([answer, next])

/** Returns a failure because a unique value exists already. */
export const duplicate = (operation: string, cause: string): Change<never> =>
  Result.fail(new StorageError({ reason: "duplicate", operation, cause }))

/**
 * A version of the state: the committed state, or the draft of a transaction that began from its parent.
 *
 * Writes to a version, and the transactions that begin from it, run one after the other. So a nested transaction
 * relates to its transaction as an outermost one relates to the committed state.
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

/**
 * The drafts to which the running fiber writes. The key is the committed version of a storage, because a program may
 * use several.
 */
const Drafts = Context.Reference<ReadonlyMap<Version, Version>>("@frontdesk/storage-memory/storage/Drafts", {
  defaultValue: () => new Map()
})

/**
 * Returns the version to read and write. A fiber that outlives its transaction uses the version from which that
 * transaction began.
 */
const firstOpen = (version: Version): Version =>
  version.open || version.parent === null ? version : firstOpen(version.parent)

/** The state of one storage, with its transactions. */
export class Database extends Context.Service<
  Database,
  {
    /** Reads the state that the running fiber sees: the draft of its transaction, or the committed state. */
    readonly read: <A>(select: (state: State.State) => A) => Effect.Effect<A>
    /** Waits for the writes and transactions that began before, and then changes the state in one step. */
    readonly modify: <A>(change: (state: State.State) => Change<A>) => Effect.Effect<A, StorageError>
    /** Runs an effect on a draft of the state, which is committed only if the effect succeeds. */
    readonly transaction: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("@frontdesk/storage-memory/storage/Database") {
  /** An empty storage. Each build of the layer makes a new one. */
  static readonly layer: Layer.Layer<Database> = Layer.sync(Database, () => {
    const committed = begin(State.empty, null)
    const drafts = Effect.service(Drafts)
    const current = Effect.map(drafts, (all) => firstOpen(all.get(committed) ?? committed))

    return Database.of({
      read: (select) => Effect.map(current, (version) => select(version.state)),
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

/** The `Transaction` in memory. Transactions run one after the other. */
export const layerTransaction: Layer.Layer<Transaction, never, Database> = Layer.effect(
  Transaction,
  Effect.map(Database, (database) =>
    Transaction.of({ run: (effect) => Signal.afterTransaction(database.transaction(effect)) })
  )
)
