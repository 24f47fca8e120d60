import * as Context from "effect/Context"

/**
 * The purpose of a statement. `request` is a request of a caller. `worker` is background work, and everything that must run
 * however many callers there are, such as a health check or a provider's callback.
 */
export type Workload = "request" | "worker"

/**
 * The workload of the running fiber. A storage reserves connections for each workload, or turns at its only connection.
 * So neither workload has to wait for all statements of the other. `Workers` sets it to `worker`.
 */
export const CurrentWorkload = Context.Reference<Workload>("@frontdesk/core/storage/Workload/CurrentWorkload", {
  defaultValue: () => "request"
})
