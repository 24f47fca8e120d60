import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AuditStore } from "../audit/AuditStore.ts"
import type { AccountStore } from "../access/AccountStore.ts"
import { Principal } from "../access/Principal.ts"
import { scope } from "../access/Scope.ts"
import type { TeamStore } from "../access/TeamStore.ts"
import type { Agents } from "../agent/Agents.ts"
import type { BookingUnchecked } from "../availability/AvailabilityError.ts"
import { CurrentSlotHolder } from "../availability/BusyTimes.ts"
import { ExternalBusy } from "../availability/ExternalBusy.ts"
import type { SlotHold } from "../availability/SlotHold.ts"
import { SlotHoldStore } from "../availability/SlotHoldStore.ts"
import { type CalendarEvent, isUpcoming } from "../calendar-event/CalendarEvent.ts"
import { type CalendarEventNotFound, found, SlotUnavailable } from "../calendar-event/CalendarEventError.ts"
import { CalendarEventKey } from "../calendar-event/CalendarEventKey.ts"
import * as EventKeys from "../calendar-event/CalendarEventKey.ts"
import { blocks } from "../calendar-event/CalendarEventStatus.ts"
import { type CalendarEventTimes, fromInterval, isMoved } from "../calendar-event/CalendarEventTimes.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import * as AvailableTimes from "../calendar/AvailableTimes.ts"
import type { CalendarEventEffectWriter } from "../calendar/CalendarEventEffectWriter.ts"
import type { CalendarEventCreateError, CalendarEventWriteError } from "../calendar/CalendarEvents.ts"
import * as CalendarEventWrites from "../calendar/CalendarEventWrites.ts"
import { Crypto } from "../crypto/Crypto.ts"
import type { CalendarSync } from "../external-calendar/CalendarSync.ts"
import type { Mailer } from "../mail/Mailer.ts"
import { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import { after } from "../values/Timestamp.ts"
import * as Input from "../values/Input.ts"
import * as Text from "../values/Text.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import * as Utf8 from "../values/Utf8.ts"
import {
  type DurationMismatch,
  EventNotAhead,
  HoldLimitReached,
  type InvalidSlotId,
  SlotIdExpired
} from "./BookingError.ts"
import { BookedFields, Recording } from "./BookingInput.ts"
import * as CanonicalJson from "./CanonicalJson.ts"
import { Conversation } from "../call/Conversation.ts"
import { moving } from "./Moving.ts"
import { SlotIds } from "./SlotIds.ts"
import type { CallStore } from "../call/CallStore.ts"
import type { ToolCall } from "../call/ToolCall.ts"
import { type RepeatKey, ToolCallStore } from "../call/ToolCallStore.ts"
import * as ToolCallWrites from "../call/ToolCallWrites.ts"
import type { WebhookEventPublisher } from "../webhook-event/WebhookEventPublisher.ts"

/** How long a slot is held. */
export const holdTime: Duration.Duration = Duration.minutes(3)

/** The maximum number of slots that a conversation holds at a time. */
export const maxHolds = 2

/** The tool under whose name a conversation records a booking, so that a hold finds it. */
const bookingTool = "book"

const slotId = { slotId: Schema.String }

const inputs: Input.Inputs<Bookings["Service"]> = {
  hold: [{ conversation: Conversation }, slotId],
  book: [{ recording: Recording }, slotId, { fields: BookedFields }],
  firstAnswer: [{ recording: Recording }],
  move: [{ recording: Recording }, { key: CalendarEventKey }, slotId],
  cancel: [{ recording: Recording }, { key: CalendarEventKey }, { reason: Schema.NullOr(Text.upTo(2_000)) }]
}

type SlotIdError = InvalidSlotId | SlotIdExpired | ValidationError

type MoveError = CalendarEventNotFound | EventNotAhead | DurationMismatch

type TimeError = SlotUnavailable | BookingUnchecked

/**
 * Books, moves and cancels for an agent that talks (D-AGT-1). Every change is stored with its tool call in one
 * transaction. A repeat in the same conversation returns the first answer, as long as the event has the time, or is
 * cancelled, as the answer says. So a retry neither books twice nor learns that its own slot is taken. In a call, any
 * further booking of the same slot is a repeat, whatever the other arguments are.
 *
 * The methods act for the caller and check no permission. They do not check either whether an event belongs to the person
 * who talks.
 */
export class Bookings extends Context.Service<
  Bookings,
  {
    /**
     * Holds a slot for the conversation for {@link holdTime}, so that no other conversation can book it. A repeat holds it for as
     * long again. Fails with `HoldLimitReached` beyond {@link maxHolds} slots, and with the reason `already_booked` when the
     * conversation has booked the slot under the name `book`.
     */
    readonly hold: (
      conversation: Conversation,
      slotId: string
    ) => Effect.Effect<SlotHold, SlotIdError | TimeError | HoldLimitReached | StorageError, Principal>
    /**
     * Books a slot, and returns the answer. Fails with the reason `already_booked` when the conversation has booked the slot,
     * and this is not a repeat.
     */
    readonly book: (
      recording: Recording,
      slotId: string,
      fields: BookedFields
    ) => Effect.Effect<Schema.Json, SlotIdError | CalendarEventCreateError, Principal>
    /**
     * Returns the first answer to a booking with the same `sameAs`, while its event is still to come. A tool that chooses the
     * time itself asks it before it chooses, because the first booking has taken that time.
     */
    readonly firstAnswer: (
      recording: Recording
    ) => Effect.Effect<Option.Option<Schema.Json>, ValidationError | StorageError, Principal>
    /**
     * Moves an event to a slot of the same duration, and returns the answer. Fails with `EventNotAhead` when the event is not
     * scheduled or confirmed, or is over.
     */
    readonly move: (
      recording: Recording,
      key: CalendarEventKey,
      slotId: string
    ) => Effect.Effect<Schema.Json, SlotIdError | MoveError | CalendarEventWriteError, Principal>
    /** Cancels an event, and returns the answer. Fails with `EventNotAhead` for an event that is over or completed. */
    readonly cancel: (
      recording: Recording,
      key: CalendarEventKey,
      reason: string | null
    ) => Effect.Effect<Schema.Json, CalendarEventNotFound | EventNotAhead | ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/booking/Bookings") {
  /** Needs the stores of one storage. */
  static readonly layer: Layer.Layer<
    Bookings,
    never,
    | AccountStore
    | Agents
    | AuditStore
    | CalendarEventEffectWriter
    | CalendarEventStore
    | CalendarSync
    | CallStore
    | Crypto
    | Mailer
    | SlotHoldStore
    | SlotIds
    | TeamStore
    | ToolCallStore
    | Transaction
    | WebhookEventPublisher
  > = Layer.effect(
    Bookings,
    Effect.gen(function* () {
      const crypto = yield* Crypto
      const events = yield* CalendarEventStore
      const holds = yield* SlotHoldStore
      const recordings = yield* ToolCallWrites.make
      const slotIds = yield* SlotIds
      const toolCalls = yield* ToolCallStore
      const transaction = yield* Transaction
      const whenAvailable = yield* AvailableTimes.make
      const writes = yield* CalendarEventWrites.make

      /** Returns the times of a slot id, which may have expired. */
      const offered = Effect.fnUntraced(function* ({ agentId }: Conversation, slotId: string) {
        const { account } = yield* Principal
        const { isExpired, slot } = yield* slotIds.read({ accountId: account.id, agentId }, slotId)
        return { times: fromInterval(slot), inTime: isExpired ? Effect.fail(new SlotIdExpired()) : Effect.void }
      })

      /** Returns the last tool call with a key, if its answer still holds for the event. */
      const standing = Effect.fnUntraced(function* (key: RepeatKey, stillHolds: (event: CalendarEvent) => boolean) {
        const last = yield* toolCalls.last(key)
        if (Option.isNone(last) || last.value.eventId === null) return Option.none()
        const present = yield* events.find(scope(yield* Principal), { id: last.value.eventId })
        return Option.exists(present, stillHolds) ? last : Option.none()
      })

      /** Returns the key of the tool calls of a conversation that have `what` in common. */
      const keyOf = Effect.fnUntraced(function* ({ holder }: Conversation, tool: string, what: Schema.Json) {
        const { account } = yield* Principal
        const digest = yield* crypto.sha256Hex(Utf8.encode(CanonicalJson.stringify(what)))
        return { accountId: account.id, conversation: holder, tool, digest }
      })

      /** Fails with the error. Its reason becomes `already_booked` when the conversation itself has booked the times. */
      const refuse = Effect.fnUntraced(function* (
        error: SlotUnavailable,
        conversation: Conversation,
        tool: string,
        times: CalendarEventTimes
      ) {
        const booked = yield* standing(yield* keyOf(conversation, tool, textOf(times)), takesUp(times))
        if (Option.isNone(booked)) return yield* error
        const { endTime, nearest, rule, startTime } = error
        return yield* new SlotUnavailable({ startTime, endTime, rule, nearest, reason: "already_booked" })
      })

      const answered = (recording: Recording, answer: Schema.Json) =>
        Effect.map(DateTime.now, (now) => ({
          tool: recording.tool,
          arguments: recording.arguments,
          answer,
          durationMillis: Duration.toMillis(DateTime.distance(recording.startedAt, now)),
          at: recording.startedAt
        }))

      /** Returns the first answer to a repeated tool call, which is stored too. */
      const repeat = Effect.fnUntraced(function* (recording: Recording, answer: Schema.Json) {
        const { account } = yield* Principal
        yield* recordings.record(account.id, recording.conversation, yield* answered(recording, answer))
        return answer
      })

      /** Returns the step that stores the tool call in the transaction of its change. */
      const storing = Effect.fnUntraced(function* ({ digest, ...key }: RepeatKey, recording: Recording) {
        const principal = yield* Principal
        const within: CalendarEventWrites.Within = Effect.fnUntraced(
          function* (event) {
            // The calendar is locked, so a repeat that runs at the same time has stored its tool call, or waits for this one.
            if (
              recording.sameAs !== undefined &&
              Option.isSome(yield* standing({ digest, ...key }, ahead(yield* DateTime.now)))
            ) {
              return yield* new StorageError({ reason: "duplicate", operation: "Bookings.book", cause: "a repeat" })
            }
            const call = {
              ...key,
              ...(yield* answered(recording, recording.answerOf(event))),
              callId: recording.conversation.callId,
              eventId: event.id
            }
            yield* recordings.insert(call, digest)
          },
          Effect.provideService(Principal, principal)
        )
        return within
      })

      /**
       * Makes a change in the name of its conversation, and returns the answer. For a repeat it returns the first answer. The
       * first tool call may still run when its repeat arrives. Then the repeat loses the slot to it, and finds its answer
       * afterwards.
       *
       * @param what what a repeat has in common with the first tool call
       * @param stillHolds returns whether the first answer still holds for the event
       * @param isRepeated returns whether this is a repeat of a tool call with which it has `what` in common
       */
      const once = Effect.fnUntraced(function* <E extends { readonly _tag: string }>(
        recording: Recording,
        what: Schema.Json,
        stillHolds: (event: CalendarEvent) => boolean,
        change: (within: CalendarEventWrites.Within) => Effect.Effect<CalendarEvent, E, Principal>,
        isRepeated: (first: ToolCall) => boolean = () => true
      ) {
        const { conversation, tool } = recording
        const key = yield* keyOf(conversation, tool, what)
        const first = Effect.map(standing(key, stillHolds), Option.filter(isRepeated))
        const repeated = yield* first
        if (Option.isSome(repeated)) return yield* repeat(recording, repeated.value.answer)
        return yield* Effect.map(change(yield* storing(key, recording)), recording.answerOf).pipe(
          Effect.provideService(CurrentSlotHolder, conversation.holder),
          Effect.catchIf(isOvertaken<E>, (error) =>
            Effect.flatMap(first, (found): Effect.Effect<Schema.Json, E | StorageError, Principal> =>
              Option.isSome(found) ? repeat(recording, found.value.answer) : Effect.fail(error)
            )
          )
        )
      })

      /** Returns the same step, which also ends the hold of the conversation on the times. */
      const releasing = Effect.fnUntraced(function* (
        { holder }: Conversation,
        times: CalendarEventTimes,
        within: CalendarEventWrites.Within
      ) {
        const { account } = yield* Principal
        const release = holds.release({ accountId: account.id, holder, ...times })
        return (event: CalendarEvent) => Effect.andThen(release, within(event))
      })

      return Input.service(Bookings, inputs, {
        hold: Tracing.operation("Bookings.hold")(function* (conversation, slotId) {
          const { account } = yield* Principal
          const { inTime, times } = yield* offered(conversation, slotId)
          yield* inTime
          const { holder } = conversation
          const place = Effect.fnUntraced(function* (requireAvailable: AvailableTimes.RequireAvailable) {
            yield* requireAvailable(times)
            const now = yield* DateTime.now
            const others = (yield* holds.ofHolder(account.id, holder, now)).filter((hold) => isMoved(hold, times))
            if (others.length >= maxHolds) return yield* new HoldLimitReached({ limit: maxHolds })
            const hold = { accountId: account.id, holder, ...times, expiresAt: after(now, holdTime) }
            yield* holds.place(hold)
            return hold
          }, transaction.run)
          return yield* whenAvailable(times, Option.none(), place).pipe(
            Effect.provideService(CurrentSlotHolder, holder),
            Effect.catchIf(isSlotUnavailable, (error) => refuse(error, conversation, bookingTool, times))
          )
        }),
        book: Tracing.operation("Bookings.book")(function* (recording, slotId, { contactId, ...eventFields }) {
          const { conversation } = recording
          const { inTime, times } = yield* offered(conversation, slotId)
          const { arguments: given, sameAs, tool } = recording
          // Without a call, other arguments may come from another customer, and so may another id of the same slot.
          const isRepeated = (first: ToolCall) =>
            sameAs !== undefined ||
            conversation.callId !== null ||
            CanonicalJson.stringify(first.arguments) === CanonicalJson.stringify(given)
          return yield* once(
            recording,
            sameAs ?? textOf(times),
            sameAs === undefined ? takesUp(times) : ahead(yield* DateTime.now),
            Effect.fnUntraced(function* (within) {
              yield* inTime
              const body = { ...eventFields, ...textOf(times), requireAvailable: true }
              return yield* writes.create(body, {
                contactId,
                // Without a call no agent talks.
                talkingAgentId: conversation.callId === null ? null : conversation.agentId,
                within: yield* releasing(conversation, times, within)
              })
            }),
            isRepeated
          ).pipe(Effect.catchIf(isSlotUnavailable, (error) => refuse(error, conversation, tool, times)))
        }),
        firstAnswer: Tracing.operation("Bookings.firstAnswer")(function* (recording) {
          const { arguments: given, conversation, sameAs = given, tool } = recording
          const first = yield* standing(yield* keyOf(conversation, tool, sameAs), ahead(yield* DateTime.now))
          if (Option.isNone(first)) return Option.none()
          return Option.some(yield* repeat(recording, first.value.answer))
        }),
        move: Tracing.operation("Bookings.move")(function* (recording, key, slotId) {
          const { conversation } = recording
          const { inTime, times } = yield* offered(conversation, slotId)
          return yield* once(
            recording,
            [EventKeys.value(key), textOf(times)],
            takesUp(times),
            Effect.fnUntraced(function* (within) {
              yield* inTime
              const body = { ...textOf(times), requireAvailable: true }
              return yield* writes.change(key, body, moving, yield* releasing(conversation, times, within))
            })
          )
        }),
        cancel: Tracing.operation("Bookings.cancel")(function* (recording, key, reason) {
          return yield* once(recording, EventKeys.value(key), isCancelled, (within) =>
            Effect.gen(function* () {
              const event = yield* found(events.find(scope(yield* Principal), key), key)
              if (!isCancelled(event) && !isUpcoming(event, yield* DateTime.now)) return yield* new EventNotAhead()
              return (yield* writes.cancel(key, { reason }, within)).event
            })
          )
        })
      })
    })
  ).pipe(Layer.provide(ExternalBusy.layer))
}

/** Returns the times as a body has them. */
const textOf = ({ endTime, startTime }: CalendarEventTimes) => ({
  startTime: DateTime.formatIso(startTime),
  endTime: DateTime.formatIso(endTime)
})

/** Returns whether an event takes up exactly these times. */
const takesUp = (times: CalendarEventTimes) => (event: CalendarEvent) => blocks(event.status) && !isMoved(event, times)

const isCancelled = ({ status }: CalendarEvent): boolean => status === "cancelled"

const isSlotUnavailable = Schema.is(SlotUnavailable)

/** Returns whether an event is still to come. */
const ahead = (now: DateTime.Utc) => (event: CalendarEvent) => isUpcoming(event, now)

/** Returns whether a change may have lost against the same change, made by a repeat at the same time. */
const isOvertaken = <E extends { readonly _tag: string }>(error: E): error is E =>
  error._tag === "SlotUnavailable" || (error instanceof StorageError && error.reason === "duplicate")
