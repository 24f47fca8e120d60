import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as CalendarEventAudit from "../calendar-event/CalendarEventAudit.ts"
import { NotOwner } from "../access/AccessError.ts"
import { AccountLimits, requireCapacity } from "../access/AccountLimits.ts"
import { Principal } from "../access/Principal.ts"
import { ownRows, scope } from "../access/Scope.ts"
import { type replaceTeam, requireTeam } from "../access/TeamAccess.ts"
import { TeamStore } from "../access/TeamStore.ts"
import * as Agent from "../agent/Agent.ts"
import { Agents } from "../agent/Agents.ts"
import { type CalendarEvent, CalendarEventUuid } from "../calendar-event/CalendarEvent.ts"
import { found, type InvalidTimeRange } from "../calendar-event/CalendarEventError.ts"
import * as CalendarEventFields from "../calendar-event/CalendarEventFields.ts"
import * as CalendarEventFlags from "../calendar-event/CalendarEventFlags.ts"
import type {
  CancelCalendarEvent,
  CreateCalendarEvent,
  PatchCalendarEvent,
  PutCalendarEvent
} from "../calendar-event/CalendarEventInput.ts"
import type { CalendarEventKey } from "../calendar-event/CalendarEventKey.ts"
import * as CalendarEventMerge from "../calendar-event/CalendarEventMerge.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import { nameOf } from "../calendar-event/CalendarWebhookEventName.ts"
import * as Cancellation from "../calendar-event/Cancellation.ts"
import type { ContactId } from "../contact/Contact.ts"
import { Crypto } from "../crypto/Crypto.ts"
import * as ExternalStates from "../external-calendar/ExternalStates.ts"
import * as CalendarEventMail from "../mail/CalendarEventMail.ts"
import { Mailer } from "../mail/Mailer.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { CurrentConcurrency, Transaction } from "../storage/Transaction.ts"
import * as Page from "../values/Page.ts"
import * as AvailableTimes from "./AvailableTimes.ts"
import * as CalendarEventConflicts from "./CalendarEventConflicts.ts"
import { CalendarEventEffectWriter } from "./CalendarEventEffectWriter.ts"

/** How an update changes an event: the rule of a PUT or a PATCH, and what happens to the team. The rule may also fail with E. */
export interface Replacement<E = never> {
  /** What the audit log says was done. */
  readonly operation: "events.put" | "events.patch" | "events.move"
  readonly rule: (
    ...given: Parameters<typeof CalendarEventMerge.put>
  ) => Result.Result<CalendarEvent, InvalidTimeRange | E>
  readonly teamOf: typeof replaceTeam
}

/** Runs in the transaction of a write, with the event as it is stored. When it fails, nothing is stored. */
export type Within = (event: CalendarEvent) => Effect.Effect<void, StorageError>

/** What a creation has beside its body. */
export interface CreateOptions {
  /** The contact for whom an agent books the event. */
  readonly contactId?: ContactId | null | undefined
  readonly within?: Within | undefined
  /** The agent of the call in which the event is booked. It may be archived, because its running calls go on (D-AGENT-4). */
  readonly talkingAgentId?: Agent.AgentId | null | undefined
}

const nothing: Within = () => Effect.void

/**
 * Returns the functions that write calendar events. Each writes an event and its effects in one transaction, and then
 * notifies the workers. The result is the event as its owner sees it.
 */
export const make = Effect.gen(function* () {
  const agents = yield* Agents
  const audit = yield* AuditTrail.make
  const crypto = yield* Crypto
  const limits = yield* AccountLimits
  const events = yield* CalendarEventStore
  const mailer = yield* Mailer
  const teams = yield* TeamStore
  const transaction = yield* Transaction
  const writer = yield* CalendarEventEffectWriter
  const requireFree = yield* CalendarEventConflicts.make
  const whenAvailable = yield* AvailableTimes.make

  /** Returns the event, and locks it until the transaction ends. */
  const lock = Effect.fnUntraced(function* (key: CalendarEventKey) {
    return yield* found(events.findForUpdate(scope(yield* Principal), key), key)
  })

  /**
   * Returns the `aiAgent` of the change that a body requests: absent when the body has no `aiAgentId`, null for a
   * null, and otherwise the agent with the id. Only the agent of the call in which the event is booked may be archived.
   */
  const agentOf = Effect.fnUntraced(function* (
    { aiAgentId }: Pick<PutCalendarEvent, "aiAgentId">,
    talkingAgentId: Agent.AgentId | null = null
  ) {
    if (aiAgentId === undefined) return {}
    if (aiAgentId === null) return { aiAgent: null }
    const find = aiAgentId === talkingAgentId ? agents.get : agents.getActive
    return { aiAgent: Agent.ref(yield* find({ id: aiAgentId })) }
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

  const insert = Effect.fnUntraced(function* (
    body: CreateCalendarEvent,
    requireTime: CalendarEventConflicts.RequireTime,
    { contactId = null, talkingAgentId, within = nothing }: CreateOptions
  ) {
    const { account } = yield* Principal
    const flags = CalendarEventFlags.flagsOf(body)
    const fields = yield* Effect.fromResult(CalendarEventFields.readNew(body, account.settings.timeZone))
    const uuid = CalendarEventUuid.make(yield* crypto.uuid)
    // The storage may answer these reads together. What was read is checked in its place below.
    const { agent, present, targets, team } = yield* Effect.all(
      {
        agent: agentOf(body, talkingAgentId),
        team: body.teamId ? Effect.provideService(requireTeam(body.teamId), TeamStore, teams) : Effect.succeed(null),
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
      contactId,
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
    yield* audit.created("events.create", CalendarEventAudit.kind, created)
    yield* within(created)
    return created
  }, transaction.run)

  const create = Effect.fnUntraced(function* (body: CreateCalendarEvent, options: CreateOptions = {}) {
    if (body.requireAvailable !== true) return yield* insert(body, requireFree(body), options)
    const { timeZone } = (yield* Principal).account.settings
    const times = yield* Effect.fromResult(CalendarEventFields.readNew(body, timeZone))
    return yield* whenAvailable(times, Option.none(), (requireAvailable) =>
      insert(body, CalendarEventConflicts.ofTimes(requireAvailable), options)
    )
  }, Effect.tap(writer.notify))

  const update = Effect.fnUntraced(function* <E>(
    key: CalendarEventKey,
    body: PutCalendarEvent | PatchCalendarEvent,
    { operation, rule, teamOf }: Replacement<E>,
    requireTime: CalendarEventConflicts.RequireTime,
    within: Within
  ) {
    const principal = yield* Principal
    const fields = yield* Effect.fromResult(CalendarEventFields.read(body, principal.account.settings.timeZone))
    const before = yield* lock(key)
    const agent = yield* agentOf(body).pipe(
      // The caller may send back the agent that the event has, even when the caller no longer sees that agent
      // (D-TEAM-8), or when it is archived.
      Effect.catchIf(
        ({ _tag }) => (_tag === "AgentNotFound" || _tag === "AgentArchived") && body.aiAgentId === before.aiAgent?.id,
        () => Effect.succeed({ aiAgent: before.aiAgent })
      )
    )
    const team = yield* Effect.provideService(teamOf(before, body.teamId), TeamStore, teams)
    const change = { ...fields, ...agent, team }
    const after = yield* Effect.fromResult(rule(before, change, yield* DateTime.now))
    if (after !== before) yield* requireTime(before, after)
    const written = after === before ? before : yield* save(before, after, CalendarEventFlags.flagsOf(body))
    yield* audit.changed(operation, CalendarEventAudit.kind, before, written)
    yield* within(written)
    return written
  }, transaction.run)

  const change = Effect.fnUntraced(function* <E = never>(
    key: CalendarEventKey,
    body: PutCalendarEvent | PatchCalendarEvent,
    by: Replacement<E>,
    within: Within = nothing
  ) {
    if (body.requireAvailable !== true) return yield* update(key, body, by, requireFree(body), within)
    const principal = yield* Principal
    const fields = yield* Effect.fromResult(CalendarEventFields.read(body, principal.account.settings.timeZone))
    const event = yield* found(events.find(scope(principal), key), key)
    if (event.accountId !== principal.account.id) return yield* new NotOwner({ action: "require_available" })
    const times = { startTime: fields.startTime ?? event.startTime, endTime: fields.endTime ?? event.endTime }
    return yield* whenAvailable(times, Option.some(event), (requireAvailable) =>
      update(key, body, by, CalendarEventConflicts.ofTimes(requireAvailable), within)
    )
  }, Effect.tap(writer.notify))

  const storeCancelled = Effect.fnUntraced(function* (before: CalendarEvent, after: CalendarEvent) {
    if (after === before) return before
    if (before.status !== "cancelled") return yield* save(before, after, CalendarEventFlags.flagsOfCancel(before))
    yield* events.update(after)
    return after
  })

  const cancelInTransaction = Effect.fnUntraced(function* (
    key: CalendarEventKey,
    body: CancelCalendarEvent,
    within: Within
  ) {
    const before = yield* lock(key)
    const cancelled = Cancellation.cancel(before, body.reason ?? "", yield* DateTime.now)
    const event = yield* storeCancelled(before, cancelled.event)
    yield* audit.changed("events.cancel", CalendarEventAudit.kind, before, event)
    yield* within(event)
    return { ...cancelled, event }
  }, transaction.run)

  const cancel = (key: CalendarEventKey, body: CancelCalendarEvent, within: Within = nothing) =>
    Effect.tap(cancelInTransaction(key, body, within), ({ event }) => writer.notify(event))

  return { create, change, cancel }
})
