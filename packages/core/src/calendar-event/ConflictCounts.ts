import type { CalendarEvent, CalendarProviderKey, ExternalStatus } from "./CalendarEvent.ts"

/** The number of calendar events whose copy is in conflict, by external calendar. One without conflicts is absent. */
export type ConflictCounts = { readonly [Provider in CalendarProviderKey]?: number }

/** Returns whether a person has changed or deleted the copy, so that only a resolution ends the state (D-EXT-3). */
export const isConflict = (status: ExternalStatus | undefined): boolean => status === "conflict" || status === "gone"

/** Counts the conflicts in the states of calendar events. */
export const of = (states: ReadonlyArray<CalendarEvent["externalCalendarsStatus"]>): ConflictCounts => {
  const counts: { [Provider in CalendarProviderKey]?: number } = {}
  const add = (provider: CalendarProviderKey, status: ExternalStatus | undefined) => {
    if (isConflict(status)) counts[provider] = (counts[provider] ?? 0) + 1
  }
  for (const { apple, google, outlook } of states) {
    add("apple", apple?.status)
    add("google", google?.status)
    add("outlook", outlook?.status)
  }
  return counts
}
