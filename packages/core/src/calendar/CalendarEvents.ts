import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../access/Account.ts"
import { NotOwner, type TeamAccessDenied, type TeamNotFound } from "../access/AccessError.ts"
import { AccountStore } from "../access/AccountStore.ts"
import { AccountLimits, type LimitReached, requireCapacity } from "../access/AccountLimits.ts"
import { ownRows, Principal, scope } from "../access/Principal.ts"
import { patchTeam, replaceTeam, requireTeam } from "../access/TeamAccess.ts"
import { TeamStore } from "../access/TeamStore.ts"
import * as Agent from "../agent/Agent.ts"
import type { AgentNotFound } from "../agent/Agent.ts"
import { Agents } from "../agent/Agents.ts"
import { Crypto } from "../crypto/Crypto.ts"
import { Mailer } from "../mail/Mailer.ts"
import type { Outbox } from "../outbox/Outbox.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as DateRange from "../values/DateRange.ts"
import * as Page from "../values/Page.ts"
import type { InvalidParameter, ValidationError } from "../values/ValidationError.ts"
import {
  CalendarEventNotFound,
  type InvalidDatetimeFormat,
  type InvalidTimeRange,
  type SlotUnavailable
} from "../calendar-event/CalendarError.ts"
import { type CalendarEvent, CalendarProviderKey, CalendarEventUuid } from "../calendar-event/CalendarEvent.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import { CalendarEventKey } from "../calendar-event/CalendarEventKey.ts"
import * as CopyResolving from "./CopyResolving.ts"
import { CalendarLinks } from "../calendar-event/CalendarLinks.ts"
import * as CalendarEventBody from "../calendar-event/CalendarEventBody.ts"
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
import { CalendarEventWriter } from "./CalendarEventWriter.ts"
import * as Input from "../values/Input.ts"
import * as ExternalStates from "../external-calendar/ExternalStates.ts"
import * as Ics from "../calendar-event/Ics.ts"

type ReferenceError = AgentNotFound | TeamNotFound | TeamAccessDenied | NotOwner

/** Why a write of an event is refused. */
export type CalendarEventWriteError =
  | ValidationError
  | InvalidDatetimeFormat
  | InvalidTimeRange
  | ReferenceError
  | SlotUnavailable
  | StorageError

/** Why a new event is refused. */
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
 * The calendar of the caller: events of its account and of its teams (C-1-1, C-2.5-1, D-TEAM-1).
 *
 * An event that the caller cannot see is not found. A change and what follows from it (webhook events, reminders, sync,
 * mail) are committed together. Times without an offset are in the caller's time zone. External calendars are shown to
 * the account that owns the event, and to no team mate.
 */
export class CalendarEvents extends Context.Service<
  CalendarEvents,
  {
    /**
     * Adds an event to the caller's calendar. With `reject_conflicts`, of the account or the body, only where nothing
     * else blocks: of two callers at once one gets the time, the other `SlotUnavailable`.
     */
    readonly create: (body: CreateCalendarEvent) => Effect.Effect<CalendarEvent, CalendarEventCreateError, Principal>
    /** One event. */
    readonly get: (
      key: CalendarEventKey
    ) => Effect.Effect<CalendarEvent, CalendarEventNotFound | ValidationError | StorageError, Principal>
    /** A page of events by start, then id. Fails when the dates are in the wrong order. */
    readonly list: (
      query: CalendarEventQuery,
      page: Page.PageRequest
    ) => Effect.Effect<Page.Page<CalendarEvent>, InvalidParameter | ValidationError | StorageError, Principal>
    /** Replaces the event; title, times and status keep their value when absent (D-CAL-1). */
    readonly put: (
      key: CalendarEventKey,
      body: PutCalendarEvent
    ) => Effect.Effect<CalendarEvent, CalendarEventNotFound | CalendarEventWriteError, Principal>
    /** Changes what is supplied. One that changes nothing leaves `updatedAt` as it was and raises nothing. */
    readonly patch: (
      key: CalendarEventKey,
      body: PatchCalendarEvent
    ) => Effect.Effect<CalendarEvent, CalendarEventNotFound | CalendarEventWriteError, Principal>
    /**
     * Cancels the event, whatever its status, and appends the reason to the customer's notes (C-3.1-5, C-3.1-8). Of an
     * event that is cancelled already only the notes change, and nobody is notified (D-CAL-7). A reason that does not
     * fit into the notes is shortened.
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
     * Resolves a change or a deletion by hand in an external calendar. The outbox carries it out; until then the event is
     * `pending` there. One that has nothing to resolve there is returned as it is. Fails with `NotOwner` for a team mate:
     * the external calendar is the owner's.
     */
    readonly resolveCopy: (
      key: CalendarEventKey,
      provider: CalendarProviderKey,
      body: ResolveCopy
    ) => Effect.Effect<CalendarEvent, CalendarEventNotFound | NotOwner | ValidationError | StorageError, Principal>
    /** The event as an iCalendar file. */
    readonly ics: (
      key: CalendarEventKey
    ) => Effect.Effect<string, CalendarEventNotFound | ValidationError | StorageError, Principal>
    /**
     * The event as an iCalendar file, for who has its signed link. A wrong signature finds nothing, and neither does the
     * link of a team mate that does not see the event any more.
     */
    readonly icsBySignature: (
      uuid: CalendarEventUuid,
      signature: string
    ) => Effect.Effect<string, CalendarEventNotFound | ValidationError | StorageError>
  }
>()("@frontdesk/core/calendar/CalendarEvents") {
  /** The service over the stores of one storage. */
  static readonly layer: Layer.Layer<
    CalendarEvents,
    never,
    | CalendarEventStore
    | AccountStore
    | TeamStore
    | Agents
    | Transaction
    | CalendarEventWriter
    | CalendarLinks
    | Crypto
    | Mailer
    | Outbox
  > = Layer.effect(
    CalendarEvents,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const agents = yield* Agents
      const crypto = yield* Crypto
      const limits = yield* AccountLimits
      const events = yield* CalendarEventStore
      const links = yield* CalendarLinks
      const mailer = yield* Mailer
      const teams = yield* TeamStore
      const transaction = yield* Transaction
      const writer = yield* CalendarEventWriter
      const resolve = yield* CopyResolving.make
      const requireFree = yield* CalendarEventConflicts.make

      const found = Effect.fnUntraced(function* (
        event: Effect.Effect<Option.Option<CalendarEvent>, StorageError>,
        key: CalendarEventKey
      ) {
        return yield* Option.match(yield* event, {
          onNone: () => Effect.fail(new CalendarEventNotFound({ event: EventKeys.value(key) })),
          onSome: Effect.succeed
        })
      })

      /** The event as the caller sees it. */
      const shown = (event: CalendarEvent) =>
        Effect.map(Principal, ({ account }) => ExternalStates.visibleTo(event, account.id))

      /** The event, locked until the transaction ends. */
      const lock = Effect.fnUntraced(function* (key: CalendarEventKey) {
        return yield* found(events.findForUpdate(scope(yield* Principal), key), key)
      })

      const get = Effect.fn("CalendarEvents.get")(function* (key: CalendarEventKey) {
        return yield* shown(yield* found(events.find(scope(yield* Principal), key), key))
      })

      /** The calendar file of an event, in the name of the account that owns it. */
      const published = Effect.fnUntraced(function* (event: CalendarEvent) {
        const owner = yield* accounts.find(event.accountId)
        const name = Option.match(owner, { onNone: () => "", onSome: (account) => account.name })
        return Ics.calendar(event, { method: "PUBLISH", organizer: { name, email: mailer.organizer } })
      })

      /** Whether an account sees an event now: it is the account's own, or has one of its teams. */
      const isSeenBy = Effect.fnUntraced(function* ({ accountId, team }: CalendarEvent, reader: AccountId) {
        if (reader === accountId) return true
        const account = yield* accounts.find(reader)
        return team !== null && Option.exists(account, ({ teamIds }) => teamIds.includes(team.id))
      })

      /** The agent that a body names; null is none. */
      const agentOf = Effect.fnUntraced(function* ({ aiAgentId }: Pick<PutCalendarEvent, "aiAgentId">) {
        if (aiAgentId === undefined) return {}
        return { aiAgent: aiAgentId === null ? null : Agent.ref(yield* agents.get({ id: aiAgentId })) }
      })

      const wantedBy = (accountId: CalendarEvent["accountId"], { notify, sync }: Flags) =>
        Effect.map(writer.calendars(accountId, sync), (calendars) => ({ calendars, notify }))

      /** The event with the invitation that it has after the change. */
      const invite = <E extends Omit<CalendarEvent, "id">>(before: CalendarEvent | null, after: E, { notify }: Flags) =>
        Effect.map(DateTime.now, (now) => ({
          ...after,
          invitation: CalendarEventMail.invitationAfter(before, after, notify && mailer.enabled, now)
        }))

      /** Stores a changed event with what follows from the change; the event waits for each calendar it is written to. */
      const save = Effect.fnUntraced(function* (before: CalendarEvent, changed: CalendarEvent, flags: Flags) {
        const wanted = yield* wantedBy(before.accountId, flags)
        const after = yield* invite(before, ExternalStates.wait(changed, wanted.calendars, changed.updatedAt), flags)
        yield* events.update(after)
        yield* writer.follow(before, after, wanted)
        return after
      })

      const insert = Effect.fnUntraced(function* (body: CreateCalendarEvent) {
        const { account } = yield* Principal
        const said = yield* Effect.fromResult(CalendarEventBody.readNew(body, account.settings.timeZone))
        const uuid = CalendarEventUuid.make(yield* crypto.uuid)
        const agent = yield* agentOf(body)
        const team = body.teamId ? yield* Effect.provideService(requireTeam(body.teamId), TeamStore, teams) : null
        const creation = {
          ...said,
          ...agent,
          team,
          uuid,
          accountId: account.id,
          createdByAiAgent: body.createdByAiAgent ?? false,
          notifyOnCancel: body.sendNotifications ?? true
        }
        const event = yield* Effect.fromResult(CalendarEventMerge.create(creation, yield* DateTime.now))
        yield* requireFree(null, event, body)
        yield* requireCapacity(limits, "calendarEvents", events.list(ownRows(event.accountId), {}, Page.nothing))
        const wanted = yield* wantedBy(event.accountId, flags(body))
        const waiting = ExternalStates.wait(event, wanted.calendars, event.createdAt)
        const created = yield* events.insert(yield* invite(null, waiting, flags(body)))
        yield* writer.follow(null, created, wanted)
        return created
      }, transaction.run)

      const update = Effect.fnUntraced(function* (
        key: CalendarEventKey,
        body: PutCalendarEvent | PatchCalendarEvent,
        rule: typeof CalendarEventMerge.put,
        teamOf: typeof replaceTeam
      ) {
        const principal = yield* Principal
        const said = yield* Effect.fromResult(CalendarEventBody.read(body, principal.account.settings.timeZone))
        const before = yield* lock(key)
        const agent = yield* agentOf(body).pipe(
          // An event may keep the agent it has, also when the caller does not see that agent any more.
          Effect.catchIf(
            ({ _tag }) => _tag === "AgentNotFound" && body.aiAgentId === before.aiAgent?.id,
            () => Effect.succeed({ aiAgent: before.aiAgent })
          )
        )
        const team = yield* Effect.provideService(teamOf(before, body.teamId), TeamStore, teams)
        const change = { ...said, ...agent, team }
        const after = yield* Effect.fromResult(rule(before, change, yield* DateTime.now))
        if (after === before) return before
        yield* requireFree(before, after, body)
        return yield* save(before, after, flags(body))
      }, transaction.run)

      const cancelInside = Effect.fnUntraced(function* (key: CalendarEventKey, body: CancelCalendarEvent) {
        const before = yield* lock(key)
        const cancelled = Cancellation.cancel(before, body.reason ?? "", yield* DateTime.now)
        if (cancelled.event === before) return cancelled
        if (before.status === "cancelled") {
          yield* events.update(cancelled.event)
          return cancelled
        }
        const event = yield* save(before, cancelled.event, { sync: true, notify: Cancellation.isMailed(before) })
        return { ...cancelled, event }
      }, transaction.run)

      const resolveInside = Effect.fnUntraced(function* (
        key: CalendarEventKey,
        provider: CalendarProviderKey,
        resolution: ResolveCopy["resolution"]
      ) {
        const event = yield* lock(key)
        const { account } = yield* Principal
        if (event.accountId !== account.id) return yield* new NotOwner({ action: "resolve_copy" })
        return yield* resolve(event, provider, resolution)
      }, transaction.run)

      return Input.service(CalendarEvents, inputs, {
        create: Effect.fn("CalendarEvents.create")(function* (body) {
          return yield* Effect.tap(insert(body), writer.notify)
        }),
        get,
        list: Effect.fn("CalendarEvents.list")(function* ({ endDate, startDate, ...filter }, page) {
          const principal = yield* Principal
          const { timeZone } = principal.account.settings
          yield* DateRange.requireOrder({ startDate, endDate })
          const bounds = DateRange.bounds({ startDate, endDate }, timeZone)
          const listed = yield* events.list(scope(principal), { ...filter, ...bounds }, page)
          return Page.map(listed, (event) => ExternalStates.visibleTo(event, principal.account.id))
        }),
        put: Effect.fn("CalendarEvents.put")(function* (key, body) {
          return yield* Effect.flatMap(
            Effect.tap(update(key, body, CalendarEventMerge.put, replaceTeam), writer.notify),
            shown
          )
        }),
        patch: Effect.fn("CalendarEvents.patch")(function* (key, body) {
          return yield* Effect.flatMap(
            Effect.tap(update(key, body, CalendarEventMerge.patch, patchTeam), writer.notify),
            shown
          )
        }),
        cancel: Effect.fn("CalendarEvents.cancel")(function* (key, body) {
          const cancelled = yield* Effect.tap(cancelInside(key, body), ({ event }) => writer.notify(event))
          return { ...cancelled, event: yield* shown(cancelled.event) }
        }),
        resolveCopy: Effect.fn("CalendarEvents.resolveCopy")(function* (key, provider, { resolution }) {
          const event = yield* resolveInside(key, provider, resolution)
          return yield* Effect.as(writer.notify(event), event)
        }),
        ics: (key) => Effect.flatMap(get(key), published),
        icsBySignature: Effect.fn("CalendarEvents.icsBySignature")(function* (uuid, signature) {
          const event = yield* found(events.findAnywhere({ uuid }), { uuid })
          const reader = yield* links.readerOf(event, signature)
          if (Option.isNone(reader) || !(yield* isSeenBy(event, reader.value))) {
            return yield* new CalendarEventNotFound({ event: uuid })
          }
          return yield* published(event)
        })
      })
    })
  )
}

interface Flags {
  readonly sync: boolean
  readonly notify: boolean
}

/** What a write says of its own effects; both are on unless it says otherwise (C-4.6-8). */
const flags = (body: Pick<PutCalendarEvent, "syncExternalCalendars" | "sendNotifications">): Flags => ({
  sync: body.syncExternalCalendars ?? true,
  notify: body.sendNotifications ?? true
})
