import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import * as ExternalWait from "../storage/ExternalWait.ts"
import type { Check } from "../values/Check.ts"
import { CalendarSyncError } from "./CalendarSync.ts"
import { CalendarNotUsable } from "./ExternalCalendarError.ts"

/** The timeout of everything that one call asks of an external calendar. */
export const timeout: Duration.Duration = Duration.seconds(30)

/** Lets other requests run while an external calendar is asked, and ends the question after {@link timeout}. */
export const within = <A, E, R>(question: Effect.Effect<A, E, R>): Effect.Effect<A, E | CalendarSyncError, R> =>
  ExternalWait.around(question).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.fail(new CalendarSyncError({ reason: "transport", cause: tooLate }))
    })
  )

/**
 * Ends a check after {@link timeout}, with the result that the calendar cannot be used. For a server that cannot be reached, the
 * result has no detail, for the same reason as {@link notUsable}.
 */
export const checkWithin = <E, R>(check: Effect.Effect<Check, E, R>): Effect.Effect<Check, E, R> =>
  ExternalWait.around(check).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.succeed({ isUsable: false, says: `transport: ${tooLate}` })
    }),
    Effect.map(({ isUsable, says }) => ({ isUsable, says: isUsable ? shortened(says) : withoutNetwork(says) }))
  )

/**
 * Returns the error for the person who connects a calendar. For a server that cannot be reached it has no detail, because
 * that could tell an outsider about the network of this server.
 */
export const notUsable = (provider: CalendarProviderKey, { cause, reason }: CalendarSyncError): CalendarNotUsable => {
  const says = reason === "invalid" || reason === "conflict" ? shortened(String(cause)) : null
  return new CalendarNotUsable({ provider, reason, says, cause })
}

/** Returns the text of a failed check, without what it tells of the network. */
const withoutNetwork = (says: string): string =>
  says.startsWith("transport") ? "transport: the external calendar cannot be reached" : shortened(says)

const tooLate = "the external calendar did not answer in time"

const shortened = (text: string): string => text.slice(0, 500)
