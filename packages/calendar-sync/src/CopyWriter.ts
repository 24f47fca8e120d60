import type { CalendarEvent, CopyResolution, ExternalCopy } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RemoteCalendar, RemoteEvent } from "./RemoteCalendar.ts"

/** The version of an event: its SEQUENCE and its last change. */
const versionOf = ({ sequence, updatedAt }: Pick<CalendarEvent, "sequence" | "updatedAt">): string =>
  `${sequence}.${DateTime.toEpochMillis(updatedAt)}`

/** The revision of a copy: the mark it bears and what it shows. */
const revisionOf = ({ shown, version }: RemoteEvent): string => `${version} ${shown}`

const copyOf = (copy: RemoteEvent): ExternalCopy => ({ id: copy.id, revision: revisionOf(copy) })

/** A copy whose change by hand was accepted for a version: the revision names that version after what was accepted. */
const keptCopyOf = (copy: RemoteEvent, version: string): ExternalCopy => ({
  id: copy.id,
  revision: `${revisionOf(copy)} ${version}`,
  isKept: true
})

/** The revision of a copy whose deletion by hand was accepted. */
const deleted = "deleted"

/** Whether what the calendar shows was accepted for this version of the event. */
const isAccepted = (known: ExternalCopy | undefined, version: string): boolean =>
  known?.revision?.split(" ")[2] === version

/**
 * Whether somebody has changed the copy since it was last written: it shows something else, and bears the version that
 * is known, or none, because what changed it has dropped the mark. With another version it was written by us, and the
 * answer was lost or is not stored yet.
 */
const isChangedByHand = ({ revision }: ExternalCopy, copy: RemoteEvent): boolean => {
  if (revision === null || revision === deleted) return false
  const [mark, shown] = revision.split(" ")
  return shown !== copy.shown && (copy.version === null || copy.version === mark)
}

const failure = (reason: "conflict" | "gone", cause: string) => new CalendarSyncError({ reason, isByHand: true, cause })

/**
 * Makes a calendar show an event as it is now, as `CalendarSync.write` promises; the same for every provider.
 *
 * @param known what is known of the copy; absent when none was ever answered
 * @param resolution what becomes of a change or a deletion by hand; without it that is a failure
 */
export const write = Effect.fn("CopyWriter.write")(function* (
  calendar: RemoteCalendar,
  event: CalendarEvent,
  known: ExternalCopy | undefined,
  resolution?: CopyResolution
) {
  const version = versionOf(event)
  const isCancelled = event.status === "cancelled"
  const found = yield* calendar.find(event, known?.id ?? null)
  if (Option.isNone(found)) {
    if (isCancelled) return known ?? null
    if (resolution === "overwrite") return copyOf(yield* calendar.restore(event, version, known?.id ?? null))
    if (known !== undefined) {
      const isLeft = resolution === "keep_theirs" || known.revision === deleted
      return isLeft
        ? { id: known.id, revision: deleted, isKept: true }
        : yield* failure("gone", "the event was deleted there")
    }
  }
  const copy = Option.isSome(found) ? found.value : yield* calendar.create(event, version)
  const isChanged = known !== undefined && isChangedByHand(known, copy)
  if (isChanged && resolution === "keep_theirs") return keptCopyOf(copy, version)
  const isByHand = isChanged || known?.isKept === true
  if (isByHand && resolution === "overwrite") return copyOf(yield* calendar.replace(event, version, copy))
  // Written already: what somebody has made of it since is not touched, and stays known as a change.
  if (copy.version === version) return isChanged ? known : copyOf(copy)
  if (isChanged && !isCancelled) return yield* failure("conflict", "the event was changed there")
  if (!isChanged && isAccepted(known, version)) return known ?? null
  return copyOf(yield* calendar.replace(event, version, copy))
})
