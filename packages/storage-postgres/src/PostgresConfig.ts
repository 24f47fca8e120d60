import * as Result from "effect/Result"
import type { PostgresConfig } from "./client/ClientConfig.ts"
import * as ConnectionUrl from "./client/ConnectionUrl.ts"
import * as PoolOptions from "./client/PoolOptions.ts"

export type { PostgresConfig, PostgresTls } from "./client/ClientConfig.ts"

/**
 * Returns what is wrong with a configuration, as far as that can be found without a connection, or undefined. The text names
 * the field and shows no value.
 */
export const problem = (config: PostgresConfig): string | undefined =>
  Result.match(PoolOptions.make(config), { onFailure: (text) => text, onSuccess: () => undefined })

/** Returns the host, port and name of a database, which may be shown: user and password are left out. */
export const show: (config: PostgresConfig) => string = ConnectionUrl.show
