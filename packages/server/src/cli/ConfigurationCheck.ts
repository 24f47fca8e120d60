import * as RootMessage from "@frontdesk/core/values/RootMessage"
import type { Check } from "@frontdesk/core/values/Check"
import * as Effect from "effect/Effect"

/** The result of a check, with the name of the checked service. */
export interface Checked extends Check {
  readonly what: string
}

/** The timeout of one check. */
const timeout = "30 seconds"

/** Returns the result for a service that can be used. */
export const usable = (says: string): Check => ({ isUsable: true, says })

/** Returns the result for a service that can be used but is probably not set up as intended. */
export const usableWithWarning = (says: string): Check => ({ isUsable: true, hasWarning: true, says })

/** Returns the result for a service that cannot be used. */
export const unusable = (says: string): Check => ({ isUsable: false, says })

/** Runs a check and never fails. If the check fails, dies or exceeds the timeout, its service counts as unusable. */
export const attempt = <E, R>(what: string, check: Effect.Effect<Check, E, R>): Effect.Effect<Checked, never, R> =>
  check.pipe(
    Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.succeed(unusable(`no answer in ${timeout}`)) }),
    Effect.catch((error) => Effect.succeed(unusable(RootMessage.of(error)))),
    Effect.catchDefect((defect) => Effect.succeed(unusable(RootMessage.of(defect)))),
    Effect.map((result) => ({ what, ...result }))
  )
