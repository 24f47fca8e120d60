import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type * as Effect from "effect/Effect"
import type * as fc from "fast-check"
import type { Storage } from "./Storage.ts"

/**
 * Random commands for a port, and how to execute one of them on a storage.
 *
 * A command is plain data. It refers to a row by the order in which the rows were made, because two storages that
 * execute the same commands assign different ids. `State` is what the test remembers of the rows of one storage.
 */
export interface Model<Command, State> {
  readonly command: fc.Arbitrary<Command>
  /** Makes the accounts that the commands act for. */
  readonly begin: Effect.Effect<State, StorageError, Storage>
  /**
   * Executes a command. Its result has no id that the storage assigned, so that results of two storages are comparable.
   */
  readonly step: (state: State, command: Command) => Effect.Effect<unknown, StorageError, Storage>
}

/**
 * Returns a function that numbers ids by their first appearance. Two storages that do the same show the same numbers.
 */
export const names = (): ((id: number | string) => string) => {
  const known = new Map<number | string, string>()
  return (id) => {
    const name = known.get(id) ?? `#${known.size + 1}`
    known.set(id, name)
    return name
  }
}

/** Returns the row that a command refers to: the index modulo the length, or undefined when the list is empty. */
export const pick = <A>(all: ReadonlyArray<A>, index: number): A | undefined => all[index % Math.max(1, all.length)]
