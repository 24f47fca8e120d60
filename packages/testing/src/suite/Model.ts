import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type * as Effect from "effect/Effect"
import type * as fc from "fast-check"
import type { Storage } from "./Storage.ts"

/**
 * Commands on a port, and how each is carried out.
 *
 * A command is plain data that names rows by the order they were made in, so that the same commands can be given to two
 * storages, whose ids differ. `World` is what one storage has made of the commands so far.
 */
export interface Model<Command, World> {
  readonly command: fc.Arbitrary<Command>
  /** Makes the tenants the commands act for. */
  readonly begin: Effect.Effect<World, StorageError, Storage>
  /** Carries a command out. Its answer holds no id of the storage. */
  readonly step: (world: World, command: Command) => Effect.Effect<unknown, StorageError, Storage>
}

/** Gives ids names in the order they are first seen, so that two storages that do the same say the same. */
export const names = (): ((id: number | string) => string) => {
  const known = new Map<number | string, string>()
  return (id) => {
    const name = known.get(id) ?? `#${known.size + 1}`
    known.set(id, name)
    return name
  }
}

/** The row a command means: the list is counted round. Undefined when there is none yet. */
export const pick = <A>(all: ReadonlyArray<A>, index: number): A | undefined => all[index % Math.max(1, all.length)]
