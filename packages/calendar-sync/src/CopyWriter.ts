import type { CalendarEvent, ExternalCopy } from "@frontdesk/core/calendar/CalendarEvent"
import { CalendarSyncError } from "@frontdesk/core/calendar/CalendarSync"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RemoteCalendar, RemoteEvent } from "./RemoteCalendar.ts"

/** The version of an event: its SEQUENCE and its last change. */
const versionOf = ({ sequence, updatedAt }: Pick<CalendarEvent, "sequence" | "updatedAt">): string =>
  `${sequence}.${DateTime.toEpochMillis(updatedAt)}`

/** The revision of a copy: the version that was written and what the calendar then showed. */
const revisionOf = ({ shown, version }: RemoteEvent): string => `${version} ${shown}`

const copyOf = (copy: RemoteEvent): ExternalCopy => ({ id: copy.id, revision: revisionOf(copy) })

/**
 * Whether somebody has changed the copy since it was last written: it shows something else, and bears the version that
 * is known, or none, because what changed it has dropped the mark. With another version it was written by us, and the
 * answer was lost or is not kept yet.
 */
const isChangedByHand = ({ revision }: ExternalCopy, copy: RemoteEvent): boolean =>
  revision !== null &&
  !revision.endsWith(` ${copy.shown}`) &&
  (copy.version === null || revision.startsWith(`${copy.version} `))

const failure = (reason: "conflict" | "gone", cause: string) => new CalendarSyncError({ reason, cause })

/**
 * Makes a calendar show an event as it is now, as `CalendarSync.write` promises; the same for every provider.
 *
 * @param known what is known of the copy; absent when none was ever answered
 */
export const write = Effect.fn("CopyWriter.write")(function* (
  calendar: RemoteCalendar,
  event: CalendarEvent,
  known: ExternalCopy | undefined
) {
  const version = versionOf(event)
  const isCancelled = event.status === "cancelled"
  const found = yield* calendar.find(event, known?.id ?? null)
  if (Option.isNone(found)) {
    if (isCancelled) return known ?? null
    if (known !== undefined) return yield* failure("gone", "the event was deleted there")
  }
  const copy = Option.isSome(found) ? found.value : yield* calendar.create(event, version)
  const isChanged = known !== undefined && isChangedByHand(known, copy)
  // Written already: what somebody has made of it since is not touched, and stays known as a change.
  if (copy.version === version) return isChanged ? known : copyOf(copy)
  if (isChanged && !isCancelled) return yield* failure("conflict", "the event was changed there")
  return copyOf(yield* calendar.replace(event, version, copy))
})
