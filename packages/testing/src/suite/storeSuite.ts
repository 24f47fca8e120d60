import { Transaction } from "@frontdesk/core/storage/Transaction"
import type * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { participationSuite } from "./participationSuite.ts"
import type { Storage, StorageLayer, SuiteOptions } from "./Storage.ts"
import { storageSuites } from "./storageSuites.ts"

/** Options of {@link storeSuite}. */
export interface StoreSuiteOptions<E> extends SuiteOptions {
  /** A storage that supplies every other port. */
  readonly with: StorageLayer<E>
}

/**
 * Verifies one port of a storage: runs its suites, and checks that its writes take part in transactions. All other
 * ports come from `with`, whose services the layer of the port may use, for example its `Transaction`.
 *
 * @example
 * ```ts
 * import { IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
 * import { MemoryStorage } from "@frontdesk/storage-memory"
 * import { storeSuite } from "@frontdesk/testing/suite/storeSuite"
 *
 * storeSuite("ours", IdempotencyStore, Own.layer, { with: MemoryStorage.layer })
 * ```
 */
export const storeSuite = <Port extends Storage, Shape, E, E2>(
  name: string,
  port: Context.Key<Port, Shape> & { readonly key: Port["key"] },
  store: Layer.Layer<Port, E, Storage>,
  options: StoreSuiteOptions<E2>
): void => {
  const storage = Layer.provideMerge(store, options.with)
  for (const suite of storageSuites[port.key]) suite(name, storage, options)
  participationSuite(name, storage, { ...options, ...(port.key === Transaction.key ? {} : { only: port.key }) })
}
