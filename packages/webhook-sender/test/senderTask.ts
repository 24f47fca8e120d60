import * as Schema from "effect/Schema"

/** The first argument of `senderWorker.ts`. */
export const Task = Schema.fromJsonString(
  Schema.Struct({
    url: Schema.String,
    requests: Schema.Int,
    timeoutMillis: Schema.Int,
    /** Also requests the URL with the global `fetch`, to show the effect of the environment. */
    fetch: Schema.Boolean
  })
)

/** The output of `senderWorker.ts`. */
export const Outcome = Schema.fromJsonString(
  Schema.Struct({
    /** The status of each answer; null without an answer. */
    statuses: Schema.Array(Schema.NullOr(Schema.Int)),
    /** How many bytes of memory in use the process gained after the first third of the requests. */
    growth: Schema.Finite,
    /** How many bytes the peak of the process was above its size before the first request. */
    peak: Schema.Finite
  })
)
