import type { CurrentExternalWait } from "@frontdesk/core/storage/ExternalWait"
import * as Effect from "effect/Effect"

/** Counts the waits of `CurrentExternalWait`, in which a request gives its place to another one. */
export interface ExternalWaits {
  readonly service: typeof CurrentExternalWait.Service
  /** Returns the number of present waits. */
  readonly present: () => number
}

/** Makes a counter without waits. */
export const make = (): ExternalWaits => {
  let present = 0
  return {
    service: {
      around: (wait) =>
        Effect.acquireUseRelease(
          Effect.sync(() => (present += 1)),
          () => wait,
          () => Effect.sync(() => (present -= 1))
        ),
      isFull: () => false
    },
    present: () => present
  }
}
