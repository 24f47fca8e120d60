import type { Slot } from "@frontdesk/client"
import type { TimeRange } from "./eventValues.ts"
import { dayMinutes } from "./dayLayout.ts"
import { dateOfWall, minutesOfWall, wallOf } from "./zonedTime.ts"

/** A free time, and where it is drawn: minutes of the clock from midnight. */
export interface FreeTime {
  readonly date: string
  /** From the first start to the last end. */
  readonly range: TimeRange
  /** The times that can be booked in it, by their starts. They overlap when there are several. */
  readonly choices: ReadonlyArray<TimeRange>
  readonly top: number
  readonly height: number
}

/** Returns the free times by date. Slots that overlap are one free time with several starts. */
export const freeTimesOf = (slots: ReadonlyArray<Slot>, zone: string): ReadonlyMap<string, ReadonlyArray<FreeTime>> => {
  const days = new Map<string, Array<FreeTime>>()
  const ranges = slots
    .map(({ end, start }): TimeRange => ({ start: Date.parse(start), end: Date.parse(end) }))
    .toSorted((one, other) => one.start - other.start)
  for (const range of ranges) {
    const wall = wallOf(range.start, zone)
    const date = dateOfWall(wall)
    const day = days.get(date) ?? []
    days.set(date, day)
    const last = day.at(-1)
    const isOverlapping = last !== undefined && range.start < last.range.end
    const before = isOverlapping ? day.pop() : undefined
    const whole = { start: before?.range.start ?? range.start, end: Math.max(before?.range.end ?? 0, range.end) }
    const top = before?.top ?? minutesOfWall(wall)
    day.push({
      date,
      range: whole,
      choices: [...(before?.choices ?? []), range],
      top,
      height: Math.min(dayMinutes - top, Math.max(15, (whole.end - whole.start) / 60_000))
    })
  }
  return days
}

/** Returns the choice of a free time at some minutes after its start: the last one that starts by then. */
export const choiceAt = ({ choices, range }: FreeTime, minutes: number): TimeRange =>
  choices.findLast(({ start }) => start <= range.start + minutes * 60_000) ?? choices[0] ?? range
