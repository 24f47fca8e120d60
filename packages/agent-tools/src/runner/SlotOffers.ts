import { Principal } from "@frontdesk/core/access/Principal"
import { Availability, maxDaysEvery, maxSlots } from "@frontdesk/core/availability/Availability"
import type { Slot } from "@frontdesk/core/availability/Slots"
import type { Conversation } from "@frontdesk/core/call/Conversation"
import { SlotIds } from "@frontdesk/core/booking/SlotIds"
import type { SlotUnavailable } from "@frontdesk/core/calendar-event/CalendarEventError"
import { toInterval } from "@frontdesk/core/calendar-event/CalendarEventTimes"
import { addDays, type CalendarDate, compare, daysBetween } from "@frontdesk/core/values/CalendarDate"
import { dateAt, formatOffset, minuteOfDay, type TimeZone, toWall } from "@frontdesk/core/values/TimeZone"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Speech from "../speech/Speech.ts"
import * as PartOfDay from "../tool/PartOfDay.ts"
import type { OfferedSlot, SlotRefused } from "../tool/ToolAnswers.ts"
import type { Texts } from "../speech/Texts.ts"
import type { ArgumentsByName } from "../tool/Tools.ts"

/** The maximum number of slots that `find_slots` offers. A person cannot remember more. */
const maxOffered = 5

/** Returns the slots that start in a part of the day. */
const inPart = (slots: ReadonlyArray<Slot>, part: PartOfDay.PartOfDay | undefined, zone: TimeZone) => {
  if (part === undefined) return slots
  const { from, to } = PartOfDay.minutes[part]
  return slots.filter(({ start }) => {
    const minute = minuteOfDay(toWall(start, zone))
    return minute >= from && minute < to
  })
}

/**
 * Returns the slots to offer, in order: the first of each day, then the second of each, and so on, until there are
 * {@link maxOffered}. So a request for a week returns more than its first morning.
 */
export const choose = (slots: ReadonlyArray<Slot>, zone: TimeZone): ReadonlyArray<Slot> => {
  const ranks = new Map<CalendarDate, number>()
  const ranked = slots.map((slot) => {
    const date = dateAt(slot.start, zone)
    const rank = ranks.get(date) ?? 0
    ranks.set(date, rank + 1)
    return { slot, rank }
  })
  return ranked
    .toSorted((a, b) => a.rank - b.rank || a.slot.start - b.slot.start)
    .slice(0, maxOffered)
    .map(({ slot }) => slot)
    .toSorted((a, b) => a.start - b.start)
}

/** Returns functions that find slots, and that offer them to a conversation, each with an id that books it. */
export const make = Effect.gen(function* () {
  const availability = yield* Availability
  const slotIds = yield* SlotIds

  /**
   * Returns the free slots of a search that {@link choose} needs. One query of availability has a maximum of dates and of
   * slots, so the search continues until it has slots of {@link maxOffered} dates or has reached its last date.
   */
  const search = Effect.fnUntraced(function* ({
    durationMinutes,
    fromDate,
    partOfDay,
    toDate
  }: ArgumentsByName["find_slots"]) {
    const { slotIntervalMinutes, timeZone } = (yield* Principal).account.settings
    const days = maxDaysEvery(slotIntervalMinutes ?? durationMinutes)
    const found: Array<Slot> = []
    let startDate = fromDate
    for (;;) {
      const endDate = daysBetween(startDate, toDate) < days ? toDate : addDays(startDate, days - 1)
      const query = { startDate, endDate, duration: durationMinutes, limit: maxSlots }
      const { nextStart, slots } = yield* availability.find(query)
      found.push(...inPart(slots, partOfDay, timeZone))
      const dates = new Set(found.map(({ start }) => dateAt(start, timeZone)))
      if (dates.size >= maxOffered || (nextStart === null && endDate === toDate)) return found
      const next = nextStart === null ? addDays(endDate, 1) : dateAt(nextStart, timeZone)
      // The next query begins with the date at which this one has ended, and finds its slots again.
      const again = found.findIndex(({ start }) => compare(dateAt(start, timeZone), next) >= 0)
      if (again !== -1) found.length = again
      startDate = next
    }
  })

  const offer = Effect.fnUntraced(function* (
    slots: ReadonlyArray<Slot>,
    { agentId }: Conversation,
    speaker: Speech.Speaker
  ) {
    const { account } = yield* Principal
    const owner = { accountId: account.id, agentId }
    return yield* Effect.forEach(slots, (slot) =>
      Effect.map(Effect.orDie(slotIds.make(owner, slot)), (slot_id): OfferedSlot => ({
        slot_id,
        start: formatOffset(slot.start, speaker.zone),
        end: formatOffset(slot.end, speaker.zone),
        say: Speech.moment(speaker, slot.start)
      }))
    )
  })

  /** Returns the answer when a slot cannot be booked, with the nearest free ones. */
  const refused = Effect.fnUntraced(function* (
    { nearest, reason, startTime }: SlotUnavailable,
    conversation: Conversation,
    speaker: Speech.Speaker & { readonly texts: Texts }
  ) {
    const free = nearest.map(toInterval)
    const choices = Speech.choices(
      speaker,
      free.map(({ start }) => start)
    )
    const { texts } = speaker
    const answers = {
      already_booked: () => texts.alreadyBooked(Speech.moment(speaker, DateTime.toEpochMillis(startTime))),
      not_free: () => texts.slotTaken(choices),
      too_late: () => texts.tooLate(choices)
    }
    return {
      say: answers[reason](),
      error: reason === "not_free" ? "slot_unavailable" : reason,
      slots: yield* offer(free, conversation, speaker)
    } satisfies SlotRefused
  })

  return { offer, refused, search }
})

/** Functions that find slots, and that offer them to a conversation. */
export type SlotOffers = Effect.Success<typeof make>
