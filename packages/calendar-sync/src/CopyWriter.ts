import type { CalendarEvent, CopyResolution, ExternalCopy } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { RemoteCalendar, RemoteCopy } from "./RemoteCalendar.ts"

/** Returns the version of a calendar event: its SEQUENCE and the time of its last change. */
const versionOf = ({ sequence, updatedAt }: Pick<CalendarEvent, "sequence" | "updatedAt">): string =>
  `${sequence}.${DateTime.toEpochMillis(updatedAt)}`

/** Returns the revision of a copy: the version in its mark, and the digest of its content. */
const revisionOf = ({ contentDigest, version }: RemoteCopy): string => `${version} ${contentDigest}`

const copyOf = (copy: RemoteCopy): ExternalCopy => ({ id: copy.id, revision: revisionOf(copy) })

/**
 * Returns a copy whose change by a person was accepted. Its revision ends with the version of the calendar event for which
 * the change was accepted.
 */
const keptCopyOf = (copy: RemoteCopy, version: string): ExternalCopy => ({
  id: copy.id,
  revision: `${revisionOf(copy)} ${version}`,
  isKept: true
})

/** The revision of a copy whose deletion by a person was accepted. */
const deleted = "deleted"

/** Returns whether a person's change of the copy was accepted for this version of the calendar event. */
const isAccepted = (known: ExternalCopy | undefined, version: string): boolean =>
  known?.revision?.split(" ")[2] === version

/**
 * Returns whether a person has changed the copy since Frontdesk last wrote it.
 *
 * Such a copy has other content, and either the known version or none, because some programs drop the mark. A copy with
 * another version was written by Frontdesk itself, and the answer to that write was lost or is not stored yet.
 */
const isChangedByHand = ({ revision }: ExternalCopy, copy: RemoteCopy): boolean => {
  if (revision === null || revision === deleted) return false
  const [version, contentDigest] = revision.split(" ")
  return contentDigest !== copy.contentDigest && (copy.version === null || copy.version === version)
}

const failure = (reason: "conflict" | "gone", cause: string) => new CalendarSyncError({ reason, isByHand: true, cause })

/**
 * Makes an external calendar show a calendar event as it is now, and returns the copy. `CalendarSync.write` has the rules,
 * which are the same for every provider.
 *
 * Fails with `conflict` or `gone`, and `isByHand`, when a person has changed or deleted the copy, there is no resolution,
 * and the calendar event is not cancelled.
 *
 * @param known the stored copy; undefined when the event was never written to this calendar
 * @param resolution whether to overwrite or to accept the change or deletion by a person
 */
export const write = Tracing.operation("CopyWriter.write")(function* (
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
        : yield* failure("gone", "a person has deleted the event in the external calendar")
    }
  }
  const copy = Option.isSome(found) ? found.value : yield* calendar.create(event, version)
  const isChanged = known !== undefined && isChangedByHand(known, copy)
  if (isChanged && resolution === "keep_theirs") return keptCopyOf(copy, version)
  const isByHand = isChanged || known?.isKept === true
  if (isByHand && resolution === "overwrite") return copyOf(yield* calendar.replace(event, version, copy))
  // This version is already written. Returning the known copy keeps a later change by a person visible as a change.
  if (copy.version === version) return isChanged ? known : copyOf(copy)
  if (isChanged && !isCancelled) {
    return yield* failure("conflict", "a person has changed the event in the external calendar")
  }
  if (!isChanged && isAccepted(known, version)) return known ?? null
  return copyOf(yield* calendar.replace(event, version, copy))
})
