import type { CalendarEventItem, Slot } from "@frontdesk/client"
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"
import { api } from "../app/api.ts"
import { daysAfter } from "../ui/formats.ts"

/** Every type of a calendar event. */
export const eventTypes = [
  "meeting",
  "appointment",
  "voice_call",
  "video_call",
  "busy"
] as const satisfies ReadonlyArray<CalendarEventItem["event_type"]>

/** Every status of a calendar event. */
export const eventStatuses = [
  "scheduled",
  "confirmed",
  "completed",
  "no_show",
  "cancelled"
] as const satisfies ReadonlyArray<CalendarEventItem["status"]>

/** A time that a calendar event takes up, in epoch milliseconds. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}

/** Returns the time of a calendar event. */
export const rangeOf = (event: Pick<CalendarEventItem, "start_time" | "end_time">): TimeRange => ({
  start: Date.parse(event.start_time),
  end: Date.parse(event.end_time)
})

/** Returns an instant as the API takes it. */
export const isoOf = (instant: number): string => new Date(instant).toISOString()

/** The calendar events of some dates, from all pages of the list. */
export const useEvents = (dates: ReadonlyArray<string>) => {
  const [first = "", last = ""] = [dates[0], dates.at(-1)]
  return useQuery({
    queryKey: ["calendar", "list", first, last],
    queryFn: async ({ signal }) => {
      const found: Array<CalendarEventItem> = []
      // The API lists by start. The day before is read too, for an event that goes on past midnight.
      const query = { start_date: daysAfter(first, -1), end_date: last, limit: 100 }
      for await (const event of api.calendar.list(query, { signal })) found.push(event)
      return found
    },
    placeholderData: keepPreviousData,
    refetchInterval: 30_000
  })
}

/** The free times of some dates for a duration in minutes. Without a duration nothing is read. */
export const useFreeTimes = (dates: ReadonlyArray<string>, minutes: number | null) => {
  const [first = "", last = ""] = [dates[0], dates.at(-1)]
  return useQuery({
    queryKey: ["calendar", "free", first, last, minutes],
    queryFn: ({ signal }) =>
      api.availability.find({ start_date: first, end_date: last, duration: minutes ?? 30 }, { signal }),
    enabled: minutes !== null,
    refetchInterval: 60_000
  })
}

/** One calendar event. While a copy is being written to an external calendar, the event is read again. */
export const useEvent = (id: string) =>
  useQuery({
    queryKey: ["calendar", "event", id],
    queryFn: ({ signal }) => api.calendar.get(id, { signal }),
    refetchInterval: ({ state }) =>
      Object.values(state.data?.external_calendars_status ?? {}).some(({ status }) => status === "pending")
        ? 3_000
        : false
  })

/** Returns a function that makes the page read everything about the calendar again. */
export const useCalendarChanged = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ["calendar"] })
}

/** Returns the slots without those that start less than 15 minutes after the one before, which would cover each other. */
export const thinned = (slots: ReadonlyArray<Slot>): ReadonlyArray<Slot> => {
  let last = Number.NEGATIVE_INFINITY
  return slots.filter(({ start }) => {
    const at = Date.parse(start)
    if (at - last < 15 * 60_000) return false
    last = at
    return true
  })
}
