import type { Slot } from "@frontdesk/client"
import { useSession } from "../app/Session.tsx"
import { dayName } from "./calendarDays.ts"
import { isoOf, thinned, type TimeRange } from "./eventValues.ts"
import { dateOfWall, minutesOfWall, wallOf } from "./zonedTime.ts"

/** A free time, and where it is drawn: minutes of the clock from midnight. */
export interface PlacedSlot {
  readonly date: string
  readonly range: TimeRange
  readonly top: number
  readonly height: number
}

/** Returns the free times by date. Those that would cover each other are drawn only as high as the next one allows. */
export const placedSlots = (
  slots: ReadonlyArray<Slot>,
  zone: string
): ReadonlyMap<string, ReadonlyArray<PlacedSlot>> => {
  const days = new Map<string, Array<PlacedSlot>>()
  const shown = thinned(slots).map(({ end, start }) => ({ start: Date.parse(start), end: Date.parse(end) }))
  for (const [index, range] of shown.entries()) {
    const wall = wallOf(range.start, zone)
    const date = dateOfWall(wall)
    const next = shown[index + 1]?.start ?? Number.POSITIVE_INFINITY
    const slot = {
      date,
      range,
      top: minutesOfWall(wall),
      height: (Math.max(range.start + 15 * 60_000, Math.min(range.end, next)) - range.start) / 60_000
    }
    const day = days.get(date)
    if (day === undefined) days.set(date, [slot])
    else day.push(slot)
  }
  return days
}

/** A free time in the grid of the week. */
export const FreeSlot = ({
  onSlot,
  slot: { date, height, range, top }
}: {
  readonly slot: PlacedSlot
  readonly onSlot: ((range: TimeRange) => void) | null
}) => {
  const { clock } = useSession().formats
  const [start, end] = [clock(isoOf(range.start)), clock(isoOf(range.end))]
  const look =
    "border-good text-good absolute inset-x-0.5 overflow-hidden rounded-sm border border-dashed px-1 text-left text-xs leading-[0.85rem]"
  const place = { top: `${top / 15}rem`, height: `calc(${height / 15}rem - 1px)` }
  if (onSlot === null)
    return (
      <p className={look} style={place}>
        {start} free
      </p>
    )
  return (
    <button type="button" onClick={() => onSlot(range)} className={`${look} hover:bg-good-ground`} style={place}>
      {start} free
      <span className="sr-only">
        {" "}
        on {dayName(date)}, until {end}: create an event
      </span>
    </button>
  )
}
