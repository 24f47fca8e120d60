import { CalendarEventUuid, type CopyResolution, type ExternalCopy } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSync, CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { justBefore, mutantsOf } from "./Mutant.ts"

const week = 604_800_000

/** How an interval belongs to a busy time that repeats weekly. `count` is how many occurrences are before it. */
interface Occurrence {
  readonly hasEarlier: boolean
  readonly hasLater: boolean
  readonly count: number
}

/** Returns a mutation of `busy` that leaves out some occurrences of busy times that repeat weekly. */
const ofWeekly =
  (isKept: (occurrence: Occurrence) => boolean) =>
  (sync: CalendarSync["Service"]): Pick<CalendarSync["Service"], "busy"> => ({
    busy: Effect.fnUntraced(function* (provider, accountId, from, until) {
      const [own, all] = [
        yield* sync.busy(provider, accountId, from, until),
        yield* sync.busy(
          provider,
          accountId,
          DateTime.subtract(from, { weeks: 10 }),
          DateTime.add(until, { weeks: 10 })
        )
      ]
      return own.filter(({ start }) => {
        const count = all.filter((one) => one.start < start && (start - one.start) % week === 0).length
        const hasLater = all.some((one) => one.start > start && (one.start - start) % week === 0)
        return isKept({ hasEarlier: count > 0, hasLater, count })
      })
    })
  })

/**
 * Mutants of `CalendarSync`. To find all of them the suite needs the option `addWeeklyBusyTime`. Those of changes that a
 * person makes are in {@link changesByHand}, and those of other changes in `mutant/calendarChange`.
 */
export const calendarSync = mutantsOf(CalendarSync, {
  "connected leaves out a provider": (sync) => ({
    connected: (accountId) => Effect.map(sync.connected(accountId), (all) => all.slice(1))
  }),
  "connected returns a calendar for every account": (sync) => ({
    connected: (accountId) =>
      Effect.map(sync.connected(accountId), (all) =>
        all.length > 0 ? all : [{ provider: "google" as const, calendar: "", updatedAt: DateTime.makeUnsafe(0) }]
      )
  }),
  "write makes a copy each time": (sync) => ({
    write: (provider, event, resolution) => sync.write(provider, { ...event, uuid: newUuid() }, resolution)
  }),
  "write makes a second copy when the first is not recorded": (sync) => ({
    write: (provider, event, resolution) =>
      event.externalCalendars[provider] === undefined
        ? sync.write(provider, { ...event, uuid: newUuid() }, resolution)
        : sync.write(provider, event, resolution)
  }),
  "write does not change a copy": (sync) => ({
    write: (provider, event, resolution) =>
      event.sequence > 0 && event.status !== "cancelled"
        ? Effect.succeed(event.externalCalendars[provider] ?? { id: "", revision: null })
        : sync.write(provider, event, resolution)
  }),
  "write does not cancel a copy": (sync) => ({
    write: (provider, event, resolution) => sync.write(provider, { ...event, status: "scheduled" }, resolution)
  }),
  "write returns a copy of a cancelled event that never had one": (sync) => ({
    write: (provider, event, resolution) =>
      Effect.map(sync.write(provider, event, resolution), (copy) => copy ?? { id: "copy", revision: null })
  }),
  "two events with the same content share a copy": (sync) => {
    const uuids = new Map<string, CalendarEventUuid>()
    return {
      write: (provider, event, resolution) => {
        const uuid = uuids.get(event.title) ?? event.uuid
        uuids.set(event.title, uuid)
        return sync.write(provider, { ...event, uuid }, resolution)
      }
    }
  },
  "busy is empty": () => ({ busy: () => Effect.succeed([]) }),
  "busy ignores the range": (sync) => ({
    busy: (provider, accountId) =>
      sync.busy(provider, accountId, DateTime.makeUnsafe(0), DateTime.makeUnsafe("2100-01-01T00:00:00Z"))
  }),
  "busy leaves out a busy time that began before the range": (sync) => ({
    busy: (provider, accountId, from, until) =>
      Effect.map(sync.busy(provider, accountId, from, until), (busy) =>
        busy.filter(({ start }) => start >= DateTime.toEpochMillis(from))
      )
  }),
  "busy returns only the first occurrence of a weekly busy time": ofWeekly(({ hasEarlier }) => !hasEarlier),
  "busy leaves out the last occurrence of a weekly busy time": ofWeekly(
    ({ hasEarlier, hasLater }) => hasLater || !hasEarlier
  ),
  "busy returns only occurrences of a weekly busy time that began in its first two weeks": ofWeekly(
    ({ count }) => count < 2
  ),
  "busy returns an occurrence of a weekly busy time after the last": (sync) => ({
    busy: (provider, accountId, from, until) =>
      Effect.map(
        sync.busy(provider, accountId, DateTime.subtract(from, { weeks: 1 }), DateTime.subtract(until, { weeks: 1 })),
        (earlier) => earlier.map(({ end, start }) => ({ start: start + week, end: end + week }))
      ).pipe(
        Effect.zipWith(sync.busy(provider, accountId, from, until), (late, own) => [
          ...own,
          ...late
            .filter(({ start }) => own.some((one) => (start - one.start) % week === 0 && one.start < start))
            .slice(-1)
        ])
      )
  }),
  "busy fails": () => ({
    busy: () => Effect.fail(new CalendarSyncError({ reason: "transport", cause: "a mutant" }))
  }),
  "check finds every calendar usable": () => ({ check: () => Effect.succeed({ isUsable: true, says: "usable" }) }),
  "check explains nothing": (sync) => ({
    check: (provider, accountId) => Effect.map(sync.check(provider, accountId), (check) => ({ ...check, says: "" }))
  })
})

type Sync = CalendarSync["Service"]

type Write = Sync["write"]

/** Returns a mutation of `write` that handles a `conflict` or `gone` of a person with `handle`. */
const handlingByHand =
  (
    reason: CalendarSyncError["reason"],
    handle: (
      error: CalendarSyncError,
      overwrite: ReturnType<Write>
    ) => Effect.Effect<ExternalCopy | null, CalendarSyncError | StorageError>
  ) =>
  (sync: Sync): Pick<Sync, "write"> => ({
    write: (provider, event, resolution) =>
      Effect.catchTag(sync.write(provider, event, resolution), "CalendarSyncError", (error) =>
        error.isByHand && error.reason === reason
          ? handle(error, sync.write(provider, event, "overwrite"))
          : Effect.fail(error)
      )
  })

/** Returns a mutation that changes the error with which a change by a person is reported. */
const reportingByHand = (
  reason: CalendarSyncError["reason"],
  fields: Partial<Pick<CalendarSyncError, "isByHand" | "reason">>
) =>
  handlingByHand(reason, ({ cause, isByHand, retryAfterMillis }) =>
    Effect.fail(new CalendarSyncError({ cause, isByHand, reason, retryAfterMillis, ...fields }))
  )

/** Returns a mutation that writes a cancelled event only when the event could be written without the cancellation. */
const notCancelling =
  (reason: CalendarSyncError["reason"]) =>
  (sync: Sync): Pick<Sync, "write"> => ({
    write: (provider, event, resolution) => {
      const isCancelled = event.status === "cancelled" && event.externalCalendars[provider] !== undefined
      const scheduled = { ...event, status: "scheduled", updatedAt: justBefore(event.updatedAt) } as const
      const attempt = isCancelled ? sync.write(provider, scheduled) : Effect.succeed(null)
      return attempt.pipe(
        Effect.catchTag("CalendarSyncError", (error) =>
          error.isByHand && error.reason === reason ? Effect.fail(error) : Effect.succeed(null)
        ),
        Effect.andThen(sync.write(provider, event, resolution))
      )
    }
  })

/** Returns a mutation that changes the resolution. It receives the copy that the event had before. */
const resolving =
  (resolve: (given: CopyResolution | undefined, copy: ExternalCopy | undefined) => CopyResolution | undefined) =>
  (sync: Sync): Pick<Sync, "write"> => ({
    write: (provider, event, resolution) =>
      sync.write(provider, event, resolve(resolution, event.externalCalendars[provider]))
  })

/** Returns a mutation that changes the copy which a write returns. */
const returning =
  (change: (copy: ExternalCopy, resolution: CopyResolution | undefined) => ExternalCopy) =>
  (sync: Sync): Pick<Sync, "write"> => ({
    write: (provider, event, resolution) =>
      Effect.map(sync.write(provider, event, resolution), (copy) => copy && change(copy, resolution))
  })

/**
 * Mutants of `CalendarSync` that break what it promises about changes by a person in an external calendar. To find them
 * the suite needs the option `userChanges`.
 */
export const changesByHand = mutantsOf(CalendarSync, {
  "write overwrites a copy that a person has changed": handlingByHand("conflict", (_error, overwrite) => overwrite),
  "write makes a copy again that a person has deleted": handlingByHand("gone", (_error, overwrite) => overwrite),
  "write overwrites a person's change and reports it": handlingByHand("conflict", (error, overwrite) =>
    Effect.andThen(overwrite, Effect.fail(error))
  ),
  "write makes a copy again that a person has deleted, and reports the deletion": handlingByHand(
    "gone",
    (error, overwrite) => Effect.andThen(overwrite, Effect.fail(error))
  ),
  "write ignores a copy that a person has changed": handlingByHand("conflict", () => Effect.succeed(null)),
  "write ignores a copy that a person has deleted": handlingByHand("gone", () => Effect.succeed(null)),
  "write reports a person's change as that of another writer": reportingByHand("conflict", { isByHand: false }),
  "write reports a person's deletion as that of another writer": reportingByHand("gone", { isByHand: false }),
  "write reports a person's change as a deletion": reportingByHand("conflict", { reason: "gone" }),
  "write reports a person's deletion as a change": reportingByHand("gone", { reason: "conflict" }),
  "write does not cancel a copy that a person has changed": notCancelling("conflict"),
  "write of a cancelled event fails when a person has deleted the copy": notCancelling("gone"),
  "write with overwrite does not overwrite": resolving((given) => (given === "overwrite" ? undefined : given)),
  "write with overwrite keeps a person's change": resolving((given) => given && "keep_theirs"),
  "write with overwrite makes another copy each time": (sync) => ({
    write: (provider, event, resolution) =>
      resolution === "overwrite"
        ? sync.write(provider, { ...event, uuid: newUuid(), externalCalendars: {} })
        : sync.write(provider, event, resolution)
  }),
  "write with overwrite says that the copy differs": returning((copy, resolution) =>
    resolution === "overwrite" ? { ...copy, isKept: true } : copy
  ),
  "write with keep_theirs fails": resolving((given) => (given === "keep_theirs" ? undefined : given)),
  "write with keep_theirs overwrites": resolving((given) => given && "overwrite"),
  "write with keep_theirs does not say that the copy differs": returning(({ id, revision }) => ({ id, revision })),
  "a later write does not say that the copy differs": returning(({ isKept, ...copy }, resolution) =>
    resolution === undefined || isKept === undefined ? copy : { ...copy, isKept }
  ),
  "a later write overwrites what keep_theirs has kept": resolving((given, copy) =>
    copy?.isKept === true && given === undefined ? "overwrite" : given
  ),
  "a later write never shows the event again after keep_theirs": (sync) => ({
    write: (provider, event, resolution) => {
      const copy = event.externalCalendars[provider]
      return copy?.isKept === true && resolution === undefined
        ? Effect.succeed(copy)
        : sync.write(provider, event, resolution)
    }
  }),
  "after keep_theirs a person's next change is overwritten": (sync) => ({
    write: (provider, event, resolution) =>
      Effect.catchTag(sync.write(provider, event, resolution), "CalendarSyncError", (error) =>
        error.reason === "conflict" && event.externalCalendars[provider]?.isKept === true
          ? sync.write(provider, event, "overwrite")
          : Effect.fail(error)
      )
  })
})

const newUuid = () => CalendarEventUuid.make(globalThis.crypto.randomUUID())
