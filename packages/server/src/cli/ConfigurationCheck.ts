import type { Check } from "@frontdesk/core/values/Check"
import * as Effect from "effect/Effect"
import { rootMessage } from "./CommandFailure.ts"

/** What was tried, and what came of it. */
export interface Tried extends Check {
  readonly what: string
}

/** How long one thing may take. */
const patience = "30 seconds"

/** What can be used. */
export const usable = (says: string): Check => ({ isUsable: true, says })

/** What can be used, and is to be looked at. */
export const doubtful = (says: string): Check => ({ isUsable: true, hasWarning: true, says })

/** What cannot be used. */
export const unusable = (says: string): Check => ({ isUsable: false, says })

/** Tries a thing: one that fails, breaks or takes too long cannot be used. */
export const attempt = <E, R>(what: string, check: Effect.Effect<Check, E, R>): Effect.Effect<Tried, never, R> =>
  check.pipe(
    Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed(unusable(`no answer in ${patience}`)) }),
    Effect.catch((error) => Effect.succeed(unusable(rootMessage(error)))),
    Effect.catchDefect((defect) => Effect.succeed(unusable(rootMessage(defect)))),
    Effect.map((tried) => ({ what, ...tried }))
  )
