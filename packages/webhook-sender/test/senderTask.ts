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
    /** How many bytes more memory was in use after all requests than after a third of them. */
    growth: Schema.Finite,
    /** The maximum memory of the process, in bytes above its memory before the first request. */
    peak: Schema.Finite
  })
)
