import { participationSuite } from "./participationSuite.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { storageSuites } from "./storageSuites.ts"

/**
 * Verifies all ports of a storage. Call it in a test file of the adapter:
 *
 * @example
 * ```ts
 * import { MemoryStorage } from "@frontdesk/storage-memory"
 * import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
 *
 * storageSuite("memory", MemoryStorage.layer)
 * ```
 */
export const storageSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  for (const suite of new Set(Object.values(storageSuites).flat())) suite(name, storage, options)
  participationSuite(name, storage, options)
}
