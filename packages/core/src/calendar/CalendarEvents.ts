import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { TeamAccessDenied, TeamNotFound } from "../access/AccessError.ts"
import { AccountStore } from "../access/AccountStore.ts"
import { Principal, scope } from "../access/Principal.ts"
import { requireTeam } from "../access/TeamAccess.ts"
import { TeamStore } from "../access/TeamStore.ts"
import * as Agent from "../agent/Agent.ts"
import type { AgentNotFound } from "../agent/AgentError.ts"
import { Agents } from "../agent/Agents.ts"
import { Crypto } from "../crypto/Crypto.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import { type CalendarDate, toDayNumber } from "../values/CalendarDate.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import { startOfDay } from "../values/TimeZone.ts"
import { InvalidParameter } from "../values/ValidationError.ts"
import { EventNotFound, type InvalidDatetimeFormat, type InvalidTimeRange, SlotUnavailable } from "./CalendarError.ts"
import { type CalendarEvent, EventUuid } from "./CalendarEvent.ts"
import { CalendarEventStore, type EventFilter, type EventKey } from "./CalendarEventStore.ts"
import { CalendarLinks } from "./CalendarLinks.ts"
import * as EventBody from "./EventBody.ts"
import type { CancelEvent, CreateEvent, PatchEvent, PutEvent } from "./EventInput.ts"
import * as EventKeys from "./EventKey.ts"
import * as EventMerge from "./EventMerge.ts"
import { blocks } from "./EventStatus.ts"
import { EventWriter } from "./EventWriter.ts"
import * as Ics from "./Ics.ts"

/** Which events are listed: dates are days of the caller's time zone, both included (Decisions 7). */
export interface EventQuery extends Omit<EventFilter, "from" | "until"> {
  readonly startDate?: CalendarDate | undefined
  readonly endDate?: CalendarDate | undefined
}

type ReferenceError = AgentNotFound | TeamNotFound | TeamAccessDenied

/** Why a write of an event is refused. */
export type EventWriteError = InvalidDatetimeFormat | InvalidTimeRange | ReferenceError | SlotUnavailable | StorageError

/**
 * The calendar of the caller: events of its account and of its teams (Contract 2.5, 3.1 and 4.6, Decisions 7).
 *
 * An event that the caller cannot see is not found. A change and what follows from it (webhook events, reminders, sync,
 * mail) are committed together. Times without an offset are in the caller's time zone.
 */
export class CalendarEvents extends Context.Service<
  CalendarEvents,
  {
    /**
     * Adds an event to the caller's calendar. With `reject_conflicts`, of the account or the body, only where nothing
     * else blocks: of two callers at once one gets the time, the other `SlotUnavailable`.
     */
    readonly create: (body: CreateEvent) => Effect.Effect<CalendarEvent, EventWriteError, Principal>
    /** One event. */
    readonly get: (key: EventKey) => Effect.Effect<CalendarEvent, EventNotFound | StorageError, Principal>
    /** A page of events by start, then id. Fails when the dates are in the wrong order. */
    readonly list: (
      query: EventQuery,
      page: PageRequest
    ) => Effect.Effect<Page<CalendarEvent>, InvalidParameter | StorageError, Principal>
    /** Replaces the event; title, times and status keep their value when absent (Decisions 1.2). */
    readonly put: (
      key: EventKey,
      body: PutEvent
    ) => Effect.Effect<CalendarEvent, EventNotFound | EventWriteError, Principal>
    /** Changes what is supplied. One that changes nothing leaves `updatedAt` as it was and raises nothing. */
    readonly patch: (
      key: EventKey,
      body: PatchEvent
    ) => Effect.Effect<CalendarEvent, EventNotFound | EventWriteError, Principal>
    /**
     * Cancels the event, whatever its status, and appends the reason to the customer's notes (Contract 3.1). Of an
     * event that is cancelled already only the notes change, and nobody hears of it (Decisions 7).
     */
    readonly cancel: (
      key: EventKey,
      body: CancelEvent
    ) => Effect.Effect<CalendarEvent, EventNotFound | StorageError, Principal>
    /** The event as an iCalendar file. */
    readonly ics: (key: EventKey) => Effect.Effect<string, EventNotFound | StorageError, Principal>
    /** The event as an iCalendar file, for who has its signed link. A wrong signature finds nothing. */
    readonly icsBySignature: (uuid: EventUuid, signature: string) => Effect.Effect<string, EventNotFound | StorageError>
  }
>()("@frontdesk/core/calendar/CalendarEvents") {
  /** The service over the stores of one storage. */
  static readonly layer: Layer.Layer<
    CalendarEvents,
    never,
    CalendarEventStore | AccountStore | TeamStore | Agents | Transaction | EventWriter | CalendarLinks | Crypto
  > = Layer.effect(
    CalendarEvents,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const agents = yield* Agents
      const crypto = yield* Crypto
      const events = yield* CalendarEventStore
      const links = yield* CalendarLinks
      const teams = yield* TeamStore
      const transaction = yield* Transaction
      const writer = yield* EventWriter

      const found = Effect.fnUntraced(function* (
        event: Effect.Effect<Option.Option<CalendarEvent>, StorageError>,
        key: EventKey
      ) {
        return yield* Option.match(yield* event, {
          onNone: () => Effect.fail(new EventNotFound({ event: EventKeys.value(key) })),
          onSome: Effect.succeed
        })
      })

      const get = Effect.fn("CalendarEvents.get")(function* (key: EventKey) {
        return yield* found(events.find(scope(yield* Principal), key), key)
      })

      /** The agent and the team that a body names; null is none. */
      const references = Effect.fnUntraced(function* ({ aiAgentId, teamId }: Pick<PutEvent, "aiAgentId" | "teamId">) {
        const agent = aiAgentId ? Agent.ref(yield* agents.get({ id: aiAgentId })) : null
        const team = teamId ? yield* Effect.provideService(requireTeam(teamId), TeamStore, teams) : null
        return {
          ...(aiAgentId === undefined ? {} : { aiAgent: agent }),
          ...(teamId === undefined ? {} : { team })
        }
      })

      /** Whether the account that owns the event, or the body, wants no overlaps. */
      const rejectsConflicts = Effect.fnUntraced(function* (
        event: Pick<CalendarEvent, "accountId">,
        body: Pick<PutEvent, "rejectConflicts">
      ) {
        if (body.rejectConflicts) return true
        const { account } = yield* Principal
        if (account.id === event.accountId) return account.settings.rejectConflicts
        // An event of a team may be in the calendar of another account.
        return Option.exists(yield* accounts.find(event.accountId), (owner) => owner.settings.rejectConflicts)
      })

      const requireFree = Effect.fnUntraced(function* (
        { accountId, endTime, startTime }: Pick<CalendarEvent, "accountId" | "startTime" | "endTime">,
        except: CalendarEvent | null
      ) {
        yield* events.lockCalendar(accountId)
        const itself = Option.map(Option.fromNullOr(except), (event) => event.id)
        const busy = yield* events.busy(accountId, startTime, endTime, itself)
        yield* busy.length === 0 ? Effect.void : Effect.fail(new SlotUnavailable({ startTime, endTime }))
      })

      const insert = Effect.fnUntraced(function* (body: CreateEvent) {
        const { account } = yield* Principal
        const said = yield* Effect.fromResult(EventBody.readNew(body, account.settings.timeZone))
        const uuid = EventUuid.make(yield* crypto.uuid)
        const creation = {
          ...said,
          ...(yield* references(body)),
          uuid,
          accountId: account.id,
          createdByAiAgent: body.createdByAiAgent ?? false,
          notifyOnCancel: body.sendNotifications ?? true
        }
        const event = yield* Effect.fromResult(EventMerge.create(creation, yield* DateTime.now))
        if (blocks(event.status) && (yield* rejectsConflicts(event, body))) yield* requireFree(event, null)
        const created = yield* events.insert(event)
        yield* writer.follow(null, created, flags(body))
        return created
      }, transaction.run)

      const update = Effect.fnUntraced(function* (
        key: EventKey,
        body: PutEvent | PatchEvent,
        rule: typeof EventMerge.put
      ) {
        const principal = yield* Principal
        const said = yield* Effect.fromResult(EventBody.read(body, principal.account.settings.timeZone))
        const before = yield* found(events.findForUpdate(scope(principal), key), key)
        const change = { ...said, ...(yield* references(body)) }
        const after = yield* Effect.fromResult(rule(before, change, yield* DateTime.now))
        if (after === before) return before
        const takesTime = blocks(after.status) && (!blocks(before.status) || EventMerge.isMoved(before, after))
        if (takesTime && (yield* rejectsConflicts(before, body))) yield* requireFree(after, before)
        yield* events.update(after)
        yield* writer.follow(before, after, flags(body))
        return after
      }, transaction.run)

      const cancelInside = Effect.fnUntraced(function* (key: EventKey, body: CancelEvent) {
        const before = yield* found(events.findForUpdate(scope(yield* Principal), key), key)
        const after = EventMerge.cancel(before, body.reason ?? "", yield* DateTime.now)
        if (after === before) return before
        yield* events.update(after)
        if (before.status !== "cancelled") {
          yield* writer.follow(before, after, { sync: true, notify: before.notifyOnCancel })
        }
        return after
      }, transaction.run)

      return CalendarEvents.of({
        create: Effect.fn("CalendarEvents.create")(function* (body) {
          return yield* Effect.tap(insert(body), writer.nudge)
        }),
        get,
        list: Effect.fn("CalendarEvents.list")(function* ({ endDate, startDate, ...filter }, page) {
          const principal = yield* Principal
          const { timeZone } = principal.account.settings
          if (startDate !== undefined && endDate !== undefined && endDate < startDate) {
            return yield* new InvalidParameter({ parameter: "end_date", message: "end_date is before start_date" })
          }
          const startOf = (day: number) => DateTime.makeUnsafe(startOfDay(day, timeZone))
          const range = {
            from: startDate === undefined ? undefined : startOf(toDayNumber(startDate)),
            until: endDate === undefined ? undefined : startOf(toDayNumber(endDate) + 1)
          }
          return yield* events.list(scope(principal), { ...filter, ...range }, page)
        }),
        put: Effect.fn("CalendarEvents.put")(function* (key, body) {
          return yield* Effect.tap(update(key, body, EventMerge.put), writer.nudge)
        }),
        patch: Effect.fn("CalendarEvents.patch")(function* (key, body) {
          return yield* Effect.tap(update(key, body, EventMerge.patch), writer.nudge)
        }),
        cancel: Effect.fn("CalendarEvents.cancel")(function* (key, body) {
          return yield* Effect.tap(cancelInside(key, body), writer.nudge)
        }),
        ics: (key) => Effect.map(get(key), (event) => Ics.calendar(event)),
        icsBySignature: Effect.fn("CalendarEvents.icsBySignature")(function* (uuid, signature) {
          if (!(yield* links.verify(uuid, signature))) return yield* new EventNotFound({ event: uuid })
          return Ics.calendar(yield* found(events.findAnywhere({ uuid }), { uuid }))
        })
      })
    })
  )
}

/** What a write says of its own effects; both are on unless it says otherwise (Contract 4.6). */
const flags = (body: Pick<PutEvent, "syncExternalCalendars" | "sendNotifications">) => ({
  sync: body.syncExternalCalendars ?? true,
  notify: body.sendNotifications ?? true
})
