import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { NotOwner, type TeamAccessDenied, type TeamNotFound } from "../access/AccessError.ts"
import type { AccountStore } from "../access/AccountStore.ts"
import { AccountLimits, type LimitReached, requireCapacity } from "../access/AccountLimits.ts"
import { Principal } from "../access/Principal.ts"
import { ownRows, scope } from "../access/Scope.ts"
import { patchTeam, replaceTeam, requireTeam } from "../access/TeamAccess.ts"
import { TeamStore } from "../access/TeamStore.ts"
import type { BookingUnchecked } from "../availability/AvailabilityError.ts"
import { ExternalBusy } from "../availability/ExternalBusy.ts"
import type { CalendarSync } from "../external-calendar/CalendarSync.ts"
import * as CalendarFiles from "./CalendarFiles.ts"
import * as AvailableTimes from "./AvailableTimes.ts"
import * as Agent from "../agent/Agent.ts"
import type { AgentNotFound } from "../agent/AgentError.ts"
import { Agents } from "../agent/Agents.ts"
import { Crypto } from "../crypto/Crypto.ts"
import { Mailer } from "../mail/Mailer.ts"
import type { Outbox } from "../outbox/Outbox.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { CurrentConcurrency, Transaction } from "../storage/Transaction.ts"
import * as DateRange from "../values/DateRange.ts"
import * as Page from "../values/Page.ts"
import type { InvalidParameter, ValidationError } from "../values/ValidationError.ts"
import {
  CalendarEventNotFound,
  type InvalidDatetimeFormat,
  type InvalidTimeRange,
  type SlotUnavailable
} from "../calendar-event/CalendarEventError.ts"
import { type CalendarEvent, CalendarProviderKey, CalendarEventUuid } from "../calendar-event/CalendarEvent.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import { CalendarEventKey } from "../calendar-event/CalendarEventKey.ts"
import * as ConflictResolution from "./ConflictResolution.ts"
import type { CalendarLinks } from "../calendar-event/CalendarLinks.ts"
import * as CalendarEventFields from "../calendar-event/CalendarEventFields.ts"
import * as CalendarEventFlags from "../calendar-event/CalendarEventFlags.ts"
import {
  CancelCalendarEvent,
  CreateCalendarEvent,
  CalendarEventQuery,
  PatchCalendarEvent,
  PutCalendarEvent,
  ResolveCopy
} from "../calendar-event/CalendarEventInput.ts"
import * as CalendarEventConflicts from "../calendar-event/CalendarEventConflicts.ts"
import * as EventKeys from "../calendar-event/CalendarEventKey.ts"
import * as Cancellation from "../calendar-event/Cancellation.ts"
import * as CalendarEventMail from "../mail/CalendarEventMail.ts"
import * as CalendarEventMerge from "../calendar-event/CalendarEventMerge.ts"
import { nameOf } from "../calendar-event/CalendarWebhookEventName.ts"
import { CalendarEventEffectWriter } from "./CalendarEventEffectWriter.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import * as ExternalStates from "../external-calendar/ExternalStates.ts"

/** How an update changes an event: the rule of a PUT or a PATCH, and what happens to the team. */
interface Replacement {
  readonly rule: typeof CalendarEventMerge.put
  readonly teamOf: typeof replaceTeam
}

type ReferenceError = AgentNotFound | TeamNotFound | TeamAccessDenied | NotOwner

/** The errors with which a write of a calendar event fails. */
export type CalendarEventWriteError =
  | ValidationError
  | InvalidDatetimeFormat
  | InvalidTimeRange
  | ReferenceError
  | SlotUnavailable
  | BookingUnchecked
  | StorageError

/** The errors with which the creation of a calendar event fails. */
export type CalendarEventCreateError = CalendarEventWriteError | LimitReached

const inputs: Input.Inputs<CalendarEvents["Service"]> = {
  create: [{ body: CreateCalendarEvent }],
  get: [{ key: CalendarEventKey }],
  list: [{ query: CalendarEventQuery }, { page: Page.PageRequest }],
  put: [{ key: CalendarEventKey }, { body: PutCalendarEvent }],
  patch: [{ key: CalendarEventKey }, { body: PatchCalendarEvent }],
  cancel: [{ key: CalendarEventKey }, { body: CancelCalendarEvent }],
  resolveCopy: [{ key: CalendarEventKey }, { provider: CalendarProviderKey }, { body: ResolveCopy }],
  ics: [{ key: CalendarEventKey }],
  icsBySignature: [{ uuid: CalendarEventUuid }, { signature: Schema.String }]
}

/**
 * The calendar of the caller: calendar events of its account and of its teams (C-1-1, C-2.5-1, D-TEAM-1).
 *
 * For an event that the caller may not see, every method fails with `CalendarEventNotFound`. A change and its effects
 * (webhook events, reminders, writes to external calendars, mails) are committed together. Times without an offset are
 * in the caller's time zone. Only the owner of an event sees its external calendars. Team mates do not.
 */
export class CalendarEvents extends Context.Service<
  CalendarEvents,
  {
    /**
     * Adds an event to the caller's calendar, and returns it. With `reject_conflicts` in the account's settings or in
     * the body, it fails with `SlotUnavailable` when another event blocks the time (D-CAL-9). With `require_available`
     * in the body it does so unless the account offers the time, and with `BookingUnchecked` when an external calendar
     * cannot be read (D-CAL-11). Only one of two concurrent callers gets a time.
     */
    readonly create: (body: CreateCalendarEvent) => Effect.Effect<CalendarEvent, CalendarEventCreateError, Principal>
    /** Returns one event. */
    readonly get: (
      key: CalendarEventKey
    ) => Effect.Effect<CalendarEvent, CalendarEventNotFound | ValidationError | StorageError, Principal>
    /**
     * Returns a page of events, ordered by start, then id. Fails with `InvalidParameter` when `endDate` is before
     * `startDate`.
     */
    readonly list: (
      query: CalendarEventQuery,
      page: Page.PageRequest
    ) => Effect.Effect<Page.Page<CalendarEvent>, InvalidParameter | ValidationError | StorageError, Principal>
    /** Replaces the event, and returns it. Title, times and status keep their values when they are absent (D-CAL-1). */
    readonly put: (
      key: CalendarEventKey,
      body: PutCalendarEvent
    ) => Effect.Effect<CalendarEvent, CalendarEventNotFound | CalendarEventWriteError, Principal>
    /**
     * Changes the given fields. Without a difference `updatedAt` stays, and there is no webhook event or other effect.
     */
    readonly patch: (
      key: CalendarEventKey,
      body: PatchCalendarEvent
    ) => Effect.Effect<CalendarEvent, CalendarEventNotFound | CalendarEventWriteError, Principal>
    /**
     * Cancels the event, whatever its status is, and appends the reason to the customer's notes (C-3.1-5, C-3.1-8). A
     * reason that is too long is shortened. The cancel is synced to external calendars (C-3.1-6), and the customer is
     * mailed when `Cancellation.isMailed` returns true (C-3.1-7). For an event that is cancelled already only the notes
     * change, without any effect such as a webhook event or a mail (D-CAL-7).
     */
    readonly cancel: (
      key: CalendarEventKey,
      body: CancelCalendarEvent
    ) => Effect.Effect<
      Cancellation.CancelledCalendarEvent,
      CalendarEventNotFound | ValidationError | StorageError,
      Principal
    >
    /**
     * Resolves a conflict: a copy that a person has changed or deleted in an external calendar. The outbox carries the
     * resolution out, and until then the copy is `pending`. A copy that waits or has failed is also written again. When
     * there is nothing to resolve (`ExternalStates.isResolvable`), the event is returned unchanged. Fails with `NotOwner`
     * for a team mate, because the external calendar belongs to the owner.
     */
    readonly resolveCopy: (
      key: CalendarEventKey,
      provider: CalendarProviderKey,
      body: ResolveCopy
    ) => Effect.Effect<CalendarEvent, CalendarEventNotFound | NotOwner | ValidationError | StorageError, Principal>
    /** Returns the event as an iCalendar file. */
    readonly ics: (
      key: CalendarEventKey
    ) => Effect.Effect<string, CalendarEventNotFound | ValidationError | StorageError, Principal>
    /**
     * Returns the event as an iCalendar file for a request with its signed link (`CalendarLinks`). Fails with
     * `CalendarEventNotFound` for an invalid signature, and for the link of a team mate that no longer sees the
     * event (D-ICS-7).
     */
    readonly icsBySignature: (
      uuid: CalendarEventUuid,
      signature: string
    ) => Effect.Effect<string, CalendarEventNotFound | ValidationError | StorageError>
  }
>()("@frontdesk/core/calendar/CalendarEvents") {
  /** Needs the stores of one storage. */
  static readonly layer: Layer.Layer<
    CalendarEvents,
    never,
    | CalendarEventStore
    | AccountStore
    | TeamStore
    | Agents
    | Transaction
    | CalendarEventEffectWriter
    | CalendarLinks
    | Crypto
    | Mailer
    | Outbox
    | CalendarSync
  > = Layer.effect(
    CalendarEvents,
    Effect.gen(function* () {
      const agents = yield* Agents
      const crypto = yield* Crypto
      const limits = yield* AccountLimits
      const events = yield* CalendarEventStore
      const files = yield* CalendarFiles.make
      const mailer = yield* Mailer
      const teams = yield* TeamStore
      const transaction = yield* Transaction
      const writer = yield* CalendarEventEffectWriter
      const resolveConflict = yield* ConflictResolution.make
      const requireFree = yield* CalendarEventConflicts.make
      const bookAvailable = yield* AvailableTimes.make

      /** Returns the event that a query returns, and fails with `CalendarEventNotFound` when it returns none. */
      const found = (event: Effect.Effect<Option.Option<CalendarEvent>, StorageError>, key: CalendarEventKey) =>
        Effect.flatMap(event, (found) =>
          Option.isSome(found)
            ? Effect.succeed(found.value)
            : Effect.fail(new CalendarEventNotFound({ event: EventKeys.value(key) }))
        )

      /** Returns the event as the caller sees it: a team mate does not see its external calendars. */
      const shown = (event: CalendarEvent) =>
        Effect.map(Principal, ({ account }) => ExternalStates.visibleTo(event, account.id))

      /** Returns the event, and locks it until the transaction ends. */
      const lock = Effect.fnUntraced(function* (key: CalendarEventKey) {
        return yield* found(events.findForUpdate(scope(yield* Principal), key), key)
      })

      const get = Tracing.operation("CalendarEvents.get")(function* (key: CalendarEventKey) {
        const principal = yield* Principal
        const event = yield* found(events.find(scope(principal), key), key)
        return ExternalStates.visibleTo(event, principal.account.id)
      })

      /**
       * Returns the `aiAgent` of the change that a body requests: absent when the body has no `aiAgentId`, null for a
       * null, and otherwise the agent with the id.
       */
      const agentOf = Effect.fnUntraced(function* ({ aiAgentId }: Pick<PutCalendarEvent, "aiAgentId">) {
        if (aiAgentId === undefined) return {}
        return { aiAgent: aiAgentId === null ? null : Agent.ref(yield* agents.get({ id: aiAgentId })) }
      })

      /** Returns the event with the invitation that it has after the change. */
      const invite = <E extends Omit<CalendarEvent, "id">>(
        before: CalendarEvent | null,
        after: E,
        { notify }: CalendarEventFlags.EffectFlags,
        now: DateTime.Utc
      ) => ({
        ...after,
        invitation: CalendarEventMail.invitationAfter(before, after, notify && mailer.enabled, now)
      })

      /**
       * Stores a changed event and the effects of the change. The copy in each external calendar to which the change is
       * written becomes `pending`, unless a person has changed or deleted the copy (`ExternalStates.wait`).
       */
      const save = Effect.fnUntraced(function* (
        before: CalendarEvent,
        changed: CalendarEvent,
        flags: CalendarEventFlags.EffectFlags
      ) {
        const targets = yield* writer.targets(before.accountId, nameOf(before, changed), flags)
        const waiting = ExternalStates.wait(changed, targets.calendars, changed.updatedAt)
        const after = invite(before, waiting, flags, yield* DateTime.now)
        yield* events.update(after)
        yield* writer.write(before, after, targets)
        return after
      })

      const insert = Effect.fnUntraced(function* (body: CreateCalendarEvent, requireTime: AvailableTimes.RequireTime) {
        const { account } = yield* Principal
        const flags = CalendarEventFlags.flagsOf(body)
        const fields = yield* Effect.fromResult(CalendarEventFields.readNew(body, account.settings.timeZone))
        const uuid = CalendarEventUuid.make(yield* crypto.uuid)
        // The storage may answer these reads together. What was read is checked in its place below.
        const { agent, present, targets, team } = yield* Effect.all(
          {
            agent: agentOf(body),
            team: body.teamId
              ? Effect.provideService(requireTeam(body.teamId), TeamStore, teams)
              : Effect.succeed(null),
            present: events.list(ownRows(account.id), {}, Page.onlyCount),
            targets: writer.targets(account.id, "calendar.created", flags)
          },
          { concurrency: yield* CurrentConcurrency }
        )
        const creation = {
          ...fields,
          ...agent,
          team,
          uuid,
          accountId: account.id,
          createdByAiAgent: body.createdByAiAgent ?? false,
          notifyOnCancel: flags.notify
        }
        const now = yield* DateTime.now
        const event = yield* Effect.fromResult(CalendarEventMerge.create(creation, now))
        yield* requireTime(null, event)
        yield* requireCapacity(limits, "calendarEvents", Effect.succeed(present))
        const waiting = ExternalStates.wait(event, targets.calendars, event.createdAt)
        const created = yield* events.insert(invite(null, waiting, flags, now))
        yield* writer.write(null, created, targets)
        return created
      }, transaction.run)

      const update = Effect.fnUntraced(function* (
        key: CalendarEventKey,
        body: PutCalendarEvent | PatchCalendarEvent,
        { rule, teamOf }: Replacement,
        requireTime: AvailableTimes.RequireTime
      ) {
        const principal = yield* Principal
        const fields = yield* Effect.fromResult(CalendarEventFields.read(body, principal.account.settings.timeZone))
        const before = yield* lock(key)
        const agent = yield* agentOf(body).pipe(
          // The caller may send back the agent that the event has, even when the caller no longer sees that agent
          // (D-TEAM-8).
          Effect.catchIf(
            ({ _tag }) => _tag === "AgentNotFound" && body.aiAgentId === before.aiAgent?.id,
            () => Effect.succeed({ aiAgent: before.aiAgent })
          )
        )
        const team = yield* Effect.provideService(teamOf(before, body.teamId), TeamStore, teams)
        const change = { ...fields, ...agent, team }
        const after = yield* Effect.fromResult(rule(before, change, yield* DateTime.now))
        if (after === before) return before
        yield* requireTime(before, after)
        return yield* save(before, after, CalendarEventFlags.flagsOf(body))
      }, transaction.run)

      const change = Effect.fnUntraced(
        function* (key: CalendarEventKey, body: PutCalendarEvent | PatchCalendarEvent, by: Replacement) {
          if (body.requireAvailable !== true) return yield* update(key, body, by, requireFree(body))
          const principal = yield* Principal
          const fields = yield* Effect.fromResult(CalendarEventFields.read(body, principal.account.settings.timeZone))
          const event = yield* found(events.find(scope(principal), key), key)
          if (event.accountId !== principal.account.id) return yield* new NotOwner({ action: "require_available" })
          const times = { startTime: fields.startTime ?? event.startTime, endTime: fields.endTime ?? event.endTime }
          return yield* bookAvailable(times, Option.some(event), (requireTime) => update(key, body, by, requireTime))
        },
        Effect.tap(writer.notify),
        Effect.flatMap(shown)
      )

      const cancelInTransaction = Effect.fnUntraced(function* (key: CalendarEventKey, body: CancelCalendarEvent) {
        const before = yield* lock(key)
        const cancelled = Cancellation.cancel(before, body.reason ?? "", yield* DateTime.now)
        if (cancelled.event === before) return cancelled
        if (before.status === "cancelled") {
          yield* events.update(cancelled.event)
          return cancelled
        }
        return { ...cancelled, event: yield* save(before, cancelled.event, CalendarEventFlags.flagsOfCancel(before)) }
      }, transaction.run)

      const resolveInTransaction = Effect.fnUntraced(function* (
        key: CalendarEventKey,
        provider: CalendarProviderKey,
        resolution: ResolveCopy["resolution"]
      ) {
        const event = yield* lock(key)
        if (event.accountId !== (yield* Principal).account.id) return yield* new NotOwner({ action: "resolve_copy" })
        return yield* resolveConflict(event, provider, resolution)
      }, transaction.run)

      return Input.service(CalendarEvents, inputs, {
        create: Tracing.operation("CalendarEvents.create")(function* (body) {
          if (body.requireAvailable !== true) return yield* insert(body, requireFree(body))
          const { timeZone } = (yield* Principal).account.settings
          const times = yield* Effect.fromResult(CalendarEventFields.readNew(body, timeZone))
          return yield* bookAvailable(times, Option.none(), (requireTime) => insert(body, requireTime))
        }, Effect.tap(writer.notify)),
        get,
        list: Tracing.operation("CalendarEvents.list")(function* ({ endDate, startDate, ...filter }, page) {
          const principal = yield* Principal
          const { timeZone } = principal.account.settings
          yield* DateRange.requireOrder({ startDate, endDate })
          const bounds = DateRange.bounds({ startDate, endDate }, timeZone)
          const listed = yield* events.list(scope(principal), { ...filter, ...bounds }, page)
          return Page.map(listed, (event) => ExternalStates.visibleTo(event, principal.account.id))
        }),
        put: Tracing.operation("CalendarEvents.put")(function* (key, body) {
          return yield* change(key, body, { rule: CalendarEventMerge.put, teamOf: replaceTeam })
        }),
        patch: Tracing.operation("CalendarEvents.patch")(function* (key, body) {
          return yield* change(key, body, { rule: CalendarEventMerge.patch, teamOf: patchTeam })
        }),
        cancel: Tracing.operation("CalendarEvents.cancel")(function* (key, body) {
          const cancelled = yield* Effect.tap(cancelInTransaction(key, body), ({ event }) => writer.notify(event))
          return { ...cancelled, event: yield* shown(cancelled.event) }
        }),
        resolveCopy: Tracing.operation("CalendarEvents.resolveCopy")(function* (key, provider, { resolution }) {
          const event = yield* resolveInTransaction(key, provider, resolution)
          return yield* Effect.as(writer.notify(event), event)
        }),
        ics: (key) => Effect.flatMap(get(key), files.publish),
        icsBySignature: Tracing.operation("CalendarEvents.icsBySignature")(function* (uuid, signature) {
          return yield* files.publishBySignature(yield* found(events.findAnywhere({ uuid }), { uuid }), signature)
        })
      })
    })
  ).pipe(Layer.provide(ExternalBusy.layer))
}
