import type { Invariant } from "../Invariants.ts"
import type { Booking } from "../Ledger.ts"

const nameOf = ({ event }: Booking): string => `the booking "${event.title}"`

/** An acknowledged booking exists exactly once, at the time of its slot. A refused one does not exist. */
export const made: Invariant = ({ ledger, records }) => {
  const perTitle = Map.groupBy(records.calendarEvents, ({ title }) => title)
  return ledger.bookings.map((booking) => {
    const found = perTitle.get(booking.event.title) ?? []
    if (booking.isRefused) return found.length === 0 ? null : `${nameOf(booking)} was refused and exists`
    if (booking.answers.length === 0)
      return found.length <= 1 ? null : `${nameOf(booking)} exists ${found.length} times`
    const [row] = found
    if (row === undefined || found.length > 1) {
      return `${nameOf(booking)} was acknowledged and exists ${found.length} times`
    }
    const isAsBooked = row.id === booking.event.id && row.start_time === booking.start && row.end_time === booking.end
    return isAsBooked ? null : `${nameOf(booking)} is another event or has another time than was acknowledged`
  })
}

/** No calendar event overlaps an event that was booked, unless one of the two blocks no time. */
export const apart: Invariant = ({ ledger, records }) => {
  const titles = new Set(ledger.bookings.map(({ event }) => event.title))
  const blocking = records.calendarEvents
    .filter(({ status }) => status !== "cancelled")
    .toSorted((a, b) => a.start_time - b.start_time)
  let latest: (typeof blocking)[number] | undefined
  return blocking.map((row) => {
    const before = latest
    if (before === undefined || row.end_time > before.end_time) latest = row
    if (before === undefined || before.end_time <= row.start_time) return null
    const isOfBooking = titles.has(row.title) || titles.has(before.title)
    return isOfBooking ? `"${row.title}" overlaps "${before.title}"` : null
  })
}

/** Every answer to a repeated booking is the first answer, which is stored once. */
export const repeated: Invariant = ({ ledger, records }) => {
  const stored = Map.groupBy(records.toolCalls, ({ event_id }) => event_id)
  return ledger.bookings
    .filter(({ answers }) => answers.length > 0)
    .flatMap((booking) => {
      const { answers, event } = booking
      const [first = "", ...repeats] = answers
      const calls = stored.get(event.id) ?? []
      const asStored =
        calls.length === 1 && calls[0]?.answer === first
          ? null
          : `${nameOf(booking)} was answered ${first}, and its ${calls.length} stored tool calls have ${calls[0]?.answer}`
      return [
        asStored,
        ...repeats.map((repeat) =>
          repeat === first ? null : `${nameOf(booking)} was answered ${first}, and its repeat ${repeat}`
        )
      ]
    })
}
