import { AgentTools, type Answer, English, type Toolbox } from "@frontdesk/agent-tools"
import type { Account } from "@frontdesk/core/access/Account"
import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import * as Permission from "@frontdesk/core/access/Permission"
import type { AuditStore } from "@frontdesk/core/audit/AuditStore"
import { Principal } from "@frontdesk/core/access/Principal"
import * as Conversation from "@frontdesk/core/call/Conversation"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import * as Crashes from "@frontdesk/testing/suite/Crashes"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"

const services = AgentTools.layer.pipe(Layer.provideMerge(Crashes.services(MemoryStorage.layer)))

/** The caller of an account in New York that works from Monday to Wednesday. */
const caller = (account: Account, permissions: ReadonlyArray<Permission.Permission> = Permission.all) => ({
  account,
  apiKeyId: ApiKeyId.make(1),
  permissions: new Set(permissions)
})

const hours = [["09:00", "12:00"] as const, ["15:00", "16:30"] as const]

/** Runs a test with the tools of an account in New York, on Friday 2026-05-29 at noon. */
const withTools = (
  test: (
    tools: Toolbox.Toolbox,
    other: Toolbox.Toolbox
  ) => Effect.Effect<void, unknown, AuditStore | CalendarEvents | Principal>,
  changed: Partial<Account["settings"]> = {}
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-05-29T16:00:00Z")))
    const { settings } = Samples.newAccount()
    const workingHours = { mon: hours, tue: hours, wed: hours }
    const account = yield* Samples.makeAccount({
      settings: { ...settings, timeZone: TimeZone.make("America/New_York"), workingHours, ...changed }
    })
    const { ofCaller } = yield* AgentTools
    const toolsOf = (id: number) => ofCaller(caller(account), Conversation.ofApiKey(ApiKeyId.make(id)))
    yield* Effect.provideService(test(toolsOf(1), toolsOf(2)), Principal, caller(account))
  }).pipe(Effect.provide(services))

/** Hours before the evening, with more slots in ten days than an answer of availability has. */
const fullDay = [["00:00", "17:00"] as const]

const week = { from_date: "2026-06-01", to_date: "2026-06-05", duration_minutes: 30 }

const decode = Schema.decodeUnknownSync(
  Schema.Struct({ slots: Schema.Array(Schema.Struct({ slot_id: Schema.String })) })
)

/** Returns the id of the first slot of an answer. */
const slotOf = (answer: Answer.Answer): string => decode(answer).slots[0]?.slot_id ?? "none"

const decodeEvent = Schema.decodeUnknownSync(Schema.Struct({ event: Schema.Struct({ id: CalendarEventId }) }))

/** Returns the id of the first slot that `find_slots` offers. */
const firstSlot = Effect.fnUntraced(function* (tools: Toolbox.Toolbox, args: object = week) {
  return slotOf(yield* tools.call("find_slots", args))
})

describe("get_context", () => {
  it.effect("returns the local time, the next 14 days with their weekdays, and nothing about a person", () =>
    withTools((tools) =>
      Effect.gen(function* () {
        expect(yield* tools.call("get_context", {})).toMatchObject({
          say: "It is Friday the 29th, noon.",
          now: "2026-05-29T12:00:00-04:00",
          time_zone: "America/New_York",
          days: [
            { date: "2026-05-29", weekday: "Friday" },
            ...Array.from({ length: 12 }, () => ({})),
            { weekday: "Thursday" }
          ],
          contact: null,
          appointments: [],
          variables: {}
        })
      })
    )
  )
})

describe("find_slots", () => {
  it.effect("offers five times over all days, in words and with a slot_id each", () =>
    withTools((tools) =>
      Effect.gen(function* () {
        const answer = yield* tools.call("find_slots", week)
        expect(answer.say).toBe(
          "I have Monday June 1st at 9 am or 9:30 am, or Tuesday June 2nd at 9 am or 9:30 am, or Wednesday June 3rd at 9 am. Which one do you want?"
        )
        expect(answer["slots"]).toMatchObject([
          { start: "2026-06-01T09:00:00-04:00", end: "2026-06-01T09:30:00-04:00", say: "Monday June 1st at 9 am" },
          { start: "2026-06-01T09:30:00-04:00" },
          { start: "2026-06-02T09:00:00-04:00" },
          { start: "2026-06-02T09:30:00-04:00" },
          { start: "2026-06-03T09:00:00-04:00" }
        ])
      })
    )
  )

  it.effect("offers the times of a part of the day, and says when there are none", () =>
    withTools((tools) =>
      Effect.gen(function* () {
        const monday = { ...week, to_date: "2026-06-01" }
        const afternoon = yield* tools.call("find_slots", { ...monday, part_of_day: "afternoon" })
        expect(afternoon.say).toBe("I have Monday June 1st at 3 pm, 3:30 pm or 4 pm. Which one do you want?")
        const evening = yield* tools.call("find_slots", { ...monday, part_of_day: "evening" })
        expect(evening).toEqual({ say: English.english.slots([]), slots: [] })
      })
    )
  )

  it.effect("ends the search at the last date that there is", () =>
    withTools((tools) =>
      Effect.gen(function* () {
        const last = { ...week, from_date: "9999-12-01", to_date: "9999-12-31", part_of_day: "evening" }
        expect(yield* tools.call("find_slots", last)).toMatchObject({ slots: [] })
      })
    )
  )

  it.effect("searches all dates also when one query of availability has not room for their slots", () =>
    withTools(
      (tools) =>
        Effect.gen(function* () {
          const saturdays = { ...week, to_date: "2026-07-31", part_of_day: "evening" }
          const answer = yield* tools.call("find_slots", saturdays)
          expect(answer["slots"]).toMatchObject([
            { start: "2026-07-25T19:00:00-04:00" },
            { start: "2026-07-25T19:01:00-04:00" },
            { start: "2026-07-25T19:02:00-04:00" },
            { start: "2026-07-25T19:03:00-04:00" },
            { start: "2026-07-25T19:04:00-04:00" }
          ])
        }),
      {
        slotIntervalMinutes: 1,
        workingHours: { mon: fullDay, tue: fullDay, wed: fullDay },
        dateOverrides: { "2026-07-25": [["19:00", "20:00"]] }
      }
    )
  )

  it.effect("names the wrong argument", () =>
    withTools((tools) =>
      Effect.gen(function* () {
        const answer = yield* tools.call("find_slots", { ...week, duration_minutes: 300 })
        expect(answer).toMatchObject({ error: "validation_error", details: [{ field: "duration_minutes" }] })
      })
    )
  )
})

describe("the audit log of tools", () => {
  it.effect(
    "has what a tool changes, with the conversation in which it was used, and no slot hold (D-AUD-2, D-AUD-6)",
    () =>
      withTools((tools) =>
        Effect.gen(function* () {
          const slot_id = yield* firstSlot(tools)
          yield* tools.call("hold_slot", { slot_id })
          const booked = yield* tools.call("book", { slot_id, customer_name: "Jo", customer_phone: "+12025550123" })
          const event = String(decodeEvent(booked).event.id)
          const { account } = yield* Principal
          const entries = yield* allEntriesOf(account.id)
          expect(entries).toMatchObject([
            {
              actor: { type: "agent_tool", id: "key:1" },
              operation: "events.create",
              entity: { type: "calendar_event", id: event }
            }
          ])
        })
      )
  )
})

describe("hold_slot and book", () => {
  it.effect("book the slot for the named customer, who did not have to be known", () =>
    withTools((tools) =>
      Effect.gen(function* () {
        const slot_id = yield* firstSlot(tools)
        const held = yield* tools.call("hold_slot", { slot_id })
        expect(held).toEqual({
          say: "I am holding Monday June 1st at 9 am for you for a few minutes.",
          expires_at: "2026-05-29T16:03:00.000Z"
        })
        const args = { slot_id, notes: "Front tooth", customer_name: "Jo", customer_phone: "+12025550123" }
        const answer = yield* tools.call("book", args)
        expect(answer).toMatchObject({
          say: "You are booked for Monday June 1st at 9 am.",
          event: {
            title: "Appointment",
            start_time: "2026-06-01T09:00:00-04:00",
            end_time: "2026-06-01T09:30:00-04:00",
            status: "scheduled"
          }
        })
        expect(yield* tools.call("book", args)).toEqual(answer)
        const { id } = decodeEvent(answer).event
        expect(yield* (yield* CalendarEvents).get({ id })).toMatchObject({
          createdByAiAgent: true,
          aiAgent: null,
          customer: { name: "Jo", phone: "+12025550123", email: "", notes: "Front tooth" }
        })
      })
    )
  )

  it.effect("refuse a slot that another conversation holds or has booked, with three others that can be booked", () =>
    withTools((tools, other) =>
      Effect.gen(function* () {
        const slot_id = yield* firstSlot(tools)
        yield* other.call("hold_slot", { slot_id })
        const refused = yield* tools.call("book", { slot_id })
        expect(refused).toMatchObject({
          say: "That time has just been taken. I still have Monday June 1st at 9:30 am, 10 am or 10:30 am. Which one do you want?",
          error: "slot_unavailable",
          slots: [{ say: "Monday June 1st at 9:30 am" }, {}, {}]
        })
        expect((yield* tools.call("hold_slot", { slot_id })).error).toBe("slot_unavailable")
        expect(yield* tools.call("book", { slot_id: slotOf(refused) })).toMatchObject({ event: {} })
        expect(yield* firstSlot(tools, { ...week, to_date: "2026-06-01" })).not.toBe(slot_id)
      })
    )
  )

  it.effect("answer that the conversation has booked the slot, also to a booking with other arguments", () =>
    withTools((tools, other) =>
      Effect.gen(function* () {
        const slot_id = yield* firstSlot(tools)
        yield* tools.call("book", { slot_id, customer_name: "Jo" })
        const expected = {
          say: "I have already booked Monday June 1st at 9 am.",
          error: "already_booked",
          slots: [{ say: "Monday June 1st at 9:30 am" }, {}, {}]
        }
        expect(yield* tools.call("hold_slot", { slot_id })).toMatchObject(expected)
        expect(yield* tools.call("book", { slot_id, customer_name: "Al" })).toMatchObject(expected)
        expect((yield* other.call("hold_slot", { slot_id })).error).toBe("slot_unavailable")
      })
    )
  )

  it.effect("answer that a slot begins too soon after its minimum notice has passed", () =>
    withTools(
      (tools) =>
        Effect.gen(function* () {
          const slot_id = yield* firstSlot(tools)
          yield* TestClock.adjust("1 minute")
          const expected = {
            say: "That time is too soon to be booked now. I have Monday June 1st at 9:30 am, 10 am or 10:30 am. Which one do you want?",
            error: "too_late",
            slots: [{ say: "Monday June 1st at 9:30 am" }, {}, {}]
          }
          expect(yield* tools.call("hold_slot", { slot_id })).toMatchObject(expected)
          expect(yield* tools.call("book", { slot_id })).toMatchObject(expected)
        }),
      // From Friday at noon to Monday at 9 am.
      { minimumNoticeMinutes: 69 * 60 }
    )
  )

  it.effect("refuse any other text than a slot_id, an id after 15 minutes, and a third hold", () =>
    withTools((tools) =>
      Effect.gen(function* () {
        expect((yield* tools.call("book", { slot_id: "monday" })).error).toBe("invalid_slot_id")
        const slot_id = yield* firstSlot(tools)
        for (const date of ["2026-06-01", "2026-06-02"]) {
          const other = yield* firstSlot(tools, { ...week, from_date: date, to_date: date })
          expect((yield* tools.call("hold_slot", { slot_id: other })).error).toBeUndefined()
        }
        const third = yield* firstSlot(tools, { ...week, from_date: "2026-06-03" })
        expect((yield* tools.call("hold_slot", { slot_id: third })).error).toBe("too_many_holds")
        yield* TestClock.adjust("15 minutes")
        expect(yield* tools.call("book", { slot_id })).toEqual({
          say: English.english.slotExpired,
          error: "slot_expired"
        })
      })
    )
  )
})

it.effect(
  "without a call only the tools are listed that need no person on the telephone, as far as the key has the permissions",
  () =>
    Effect.gen(function* () {
      const { ofCaller } = yield* AgentTools
      const account = yield* Samples.makeAccount()
      const names = (permissions: ReadonlyArray<Permission.Permission>) =>
        ofCaller(caller(account, permissions), Conversation.ofApiKey(ApiKeyId.make(1))).tools.map(({ name }) => name)
      expect(names(Permission.all)).toEqual(["get_context", "find_slots", "hold_slot", "book", "request_callback"])
      expect(names(["can_read_calendar"])).toEqual(["get_context", "find_slots"])
      expect(names([])).toEqual([])
    }).pipe(Effect.provide(services))
)
