import {
  type CalendarEvent,
  type CalendarProviderKey,
  CalendarEventUuid,
  type ExternalCopy
} from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSync, CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import { mutantsOf } from "./Mutant.ts"

type Sync = CalendarSync["Service"]

type Written = Effect.Effect<ExternalCopy | null, CalendarSyncError | StorageError>

/** Returns a mutation that handles a conflict with another writer. */
const handlingConflict =
  (handle: (sync: Sync, provider: CalendarProviderKey, event: CalendarEvent, error: CalendarSyncError) => Written) =>
  (sync: Sync): Pick<Sync, "write"> => ({
    write: (provider, event, resolution) =>
      Effect.catchTag(sync.write(provider, event, resolution), "CalendarSyncError", (error) =>
        error.reason === "conflict" && !error.isByHand ? handle(sync, provider, event, error) : Effect.fail(error)
      )
  })

/** Returns a mutation that reports a conflict with another writer in another way. */
const reporting = (fields: Partial<Pick<CalendarSyncError, "isByHand" | "reason">>) =>
  handlingConflict((_sync, _provider, _event, { cause, isByHand, reason, retryAfterMillis }) =>
    Effect.fail(new CalendarSyncError({ cause, isByHand, reason, retryAfterMillis, ...fields }))
  )

/** Returns an event as if it had no copy in an external calendar yet. */
const withoutCopy = (event: CalendarEvent): CalendarEvent => ({
  ...event,
  uuid: CalendarEventUuid.make(globalThis.crypto.randomUUID()),
  externalCalendars: {}
})

/** Mutants of `CalendarSync` for another writer that is faster. The suite needs the option `changeBeforeNextWrite`. */
export const otherWriter = mutantsOf(CalendarSync, {
  "write reports another writer as a person": reporting({ isByHand: true }),
  "write reports another writer as a deletion": reporting({ reason: "gone" }),
  "write reports another writer as an invalid request": reporting({ reason: "invalid" }),
  "write reports another writer as a failure of the provider": reporting({ reason: "transport" }),
  "write succeeds without an effect when another writer is faster": handlingConflict((_sync, provider, event) =>
    Effect.succeed(event.externalCalendars[provider] ?? null)
  ),
  "write overwrites what another writer has written meanwhile": handlingConflict((sync, provider, event) =>
    sync.write(provider, event, "overwrite")
  ),
  "write overwrites what another writer has written meanwhile, and reports it": handlingConflict(
    (sync, provider, event, error) => Effect.andThen(sync.write(provider, event, "overwrite"), Effect.fail(error))
  ),
  "write makes a second copy when another writer is faster": handlingConflict((sync, provider, event) =>
    sync.write(provider, withoutCopy(event))
  ),
  "a write after one with a conflict fails with the same conflict": (sync) => {
    const failed = new Map<string, CalendarSyncError>()
    return {
      write: (provider, event, resolution) => {
        const known = failed.get(event.uuid)
        if (known !== undefined) return Effect.fail(known)
        return Effect.tapError(sync.write(provider, event, resolution), (error) =>
          Effect.sync(() => {
            if (error._tag === "CalendarSyncError" && error.reason === "conflict") failed.set(event.uuid, error)
          })
        )
      }
    }
  }
})

/** Returns a mutation of `write` for a copy that is not in the connected calendar. */
const handlingOtherCalendar =
  (
    handle: (
      write: Written,
      copy: ExternalCopy,
      sync: Sync,
      event: CalendarEvent,
      provider: CalendarProviderKey
    ) => Written
  ) =>
  (sync: Sync): Pick<Sync, "write"> => {
    const calendars = new Map<string | null, string | undefined>()
    return {
      write: Effect.fnUntraced(function* (provider, event, resolution) {
        const connected = yield* sync.connected(event.accountId)
        const calendar = connected.find((one) => one.provider === provider)?.calendar
        const copy = event.externalCalendars[provider]
        const isElsewhere = copy !== undefined && (calendars.get(copy.revision) ?? calendar) !== calendar
        const write = sync.write(provider, event, resolution)
        const written = yield* isElsewhere ? handle(write, copy, sync, event, provider) : write
        if (written !== null && !isElsewhere) calendars.set(written.revision, calendar)
        return written
      })
    }
  }

const failure = (reason: "conflict" | "gone") =>
  Effect.fail(new CalendarSyncError({ reason, isByHand: true, cause: "a mutant" }))

/**
 * Mutants of `CalendarSync` for an account that was connected with another calendar (D-EXT-13). The suite needs the option
 * `connectCalendar`.
 */
export const otherCalendar = mutantsOf(CalendarSync, {
  "write fails with gone when the copy is in another calendar": handlingOtherCalendar(() => failure("gone")),
  "write fails with conflict when the copy is in another calendar": handlingOtherCalendar(() => failure("conflict")),
  "write returns the copy in another calendar and writes nothing": handlingOtherCalendar((_write, copy) =>
    Effect.succeed(copy)
  ),
  "write returns the copy in another calendar after it has made a new one": handlingOtherCalendar((write, copy) =>
    Effect.map(write, (written) => written && copy)
  ),
  "write keeps a copy in another calendar as if a person had deleted it": handlingOtherCalendar((write) =>
    Effect.map(write, (written) => written && { ...written, isKept: true })
  ),
  "each write makes another copy when the recorded one is in another calendar": handlingOtherCalendar(
    (_write, _copy, sync, event, provider) => sync.write(provider, withoutCopy(event))
  ),
  "write returns the copy in another calendar of an event that is cancelled": handlingOtherCalendar((write, copy) =>
    Effect.map(write, (written) => written ?? copy)
  ),
  "write makes a copy of a cancelled event whose copy is in another calendar": handlingOtherCalendar(
    (_write, _copy, sync, event, provider) =>
      sync.write(provider, { ...event, status: "scheduled", externalCalendars: {} })
  ),
  "connected returns the calendar that was connected first": (sync) => {
    const calendars = new Map<CalendarProviderKey, string>()
    return {
      connected: (accountId) =>
        Effect.map(sync.connected(accountId), (all) =>
          all.map((one) => {
            const calendar = calendars.get(one.provider) ?? one.calendar
            calendars.set(one.provider, calendar)
            return { ...one, calendar }
          })
        )
    }
  },
  "busy also returns the busy times of the earlier calendar": (sync) => {
    const known = new Map<string, Effect.Success<ReturnType<Sync["busy"]>>>()
    return {
      busy: (provider, accountId, from, until) =>
        Effect.map(sync.busy(provider, accountId, from, until), (busy) => {
          const key = JSON.stringify([provider, accountId, from, until])
          const all = [...(known.get(key) ?? []), ...busy]
          known.set(key, all)
          return all
        })
    }
  }
})
