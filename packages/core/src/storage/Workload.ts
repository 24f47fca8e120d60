import * as Context from "effect/Context"

/**
 * For whom a statement runs: `request` for callers of the API, `worker` for what happens in the background and for what
 * must go on however many callers there are, such as a health check or a provider's callback.
 */
export type Workload = "request" | "worker"

/**
 * The workload of the running fiber. A storage keeps connections, or turns at its one connection, for each workload, so
 * that neither waits behind all of the other. `Workers` sets it to `worker`.
 */
export const CurrentWorkload = Context.Reference<Workload>("@frontdesk/core/storage/Workload/CurrentWorkload", {
  defaultValue: () => "request"
})
