import * as Schema from "effect/Schema"

/** What `senderWorker.ts` is asked for in its first argument. */
export const Task = Schema.fromJsonString(
  Schema.Struct({
    url: Schema.String,
    requests: Schema.Int,
    timeoutMillis: Schema.Int,
    /** Also asks for the URL with the global `fetch`, to show what the environment does to others. */
    fetch: Schema.Boolean
  })
)

/** What it prints. */
export const Outcome = Schema.fromJsonString(
  Schema.Struct({
    /** The status of each answer, null where there was none. */
    statuses: Schema.Array(Schema.NullOr(Schema.Int)),
    /** By how many bytes the memory in use grew from the first third of the requests to their end. */
    growth: Schema.Finite,
    /** By how many bytes the process was larger at its largest than before the first request. */
    peak: Schema.Finite
  })
)
