import type { CalendarEventItem } from "@frontdesk/client"
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"
import { api } from "../app/api.ts"

/** The calendar events of some dates, from all pages of the list. */
export const useEvents = (dates: ReadonlyArray<string>) => {
  const [first = "", last = ""] = [dates[0], dates.at(-1)]
  return useQuery({
    queryKey: ["calendar", "list", first, last],
    queryFn: async ({ signal }) => {
      const found: Array<CalendarEventItem> = []
      const query = { start_date: first, end_date: last, overlapping: true, limit: 100 }
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

/** The times of some dates at which external calendars are busy. */
export const useBusyTimes = (dates: ReadonlyArray<string>) => {
  const [first = "", last = ""] = [dates[0], dates.at(-1)]
  return useQuery({
    queryKey: ["calendar", "busy", first, last],
    queryFn: ({ signal }) => api.availability.busy({ start_date: first, end_date: last }, { signal }),
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
