import { daysAfter } from "../ui/formats.ts"
import { dateOfWall, instantOf, minutesOfWall, wallAt, wallOf } from "./zonedTime.ts"

/** What the layout has to know of a calendar event. */
export interface Timed {
  readonly id: number
  readonly start_time: string
  readonly end_time: string
}

/** The part of a calendar event that lies on one date. `top` and `bottom` are minutes of the clock from midnight. */
export interface Segment<E> {
  readonly event: E
  readonly top: number
  readonly bottom: number
  /** Whether the event starts on the date. */
  readonly isStart: boolean
  /** Whether the event ends on the date. */
  readonly isEnd: boolean
}

/** A segment beside those that overlap it: the lane that it is in, of how many. */
export interface PlacedSegment<E> extends Segment<E> {
  readonly lane: number
  readonly lanes: number
}

/** The minutes of a date on the clock. */
export const dayMinutes = 1_440

/** The shortest segment that is drawn. A shorter one could not be read. */
const minMinutes = 15

/** Returns the segments of a calendar event by date. */
const segmentsOf = <E extends Timed>(event: E, zone: string): ReadonlyArray<readonly [string, Segment<E>]> => {
  const [start, end] = [Date.parse(event.start_time), Date.parse(event.end_time)]
  const [startWall, endWall] = [wallOf(start, zone), wallOf(end, zone)]
  const [first, last] = [dateOfWall(startWall), dateOfWall(endWall)]
  const found: Array<readonly [string, Segment<E>]> = []
  for (let date = first; date <= last; date = daysAfter(date, 1)) {
    const top = date === first ? minutesOfWall(startWall) : 0
    const ends = date === last ? minutesOfWall(endWall) : dayMinutes
    const isEnd = date === last || (endWall.endsWith("T00:00") && daysAfter(date, 1) === last)
    // An event that ends at midnight has nothing on the date that begins there.
    if (date !== first && ends === 0) break
    // When the clock is set back during the event, it can show an earlier time at the end than at the start.
    const bottom = ends > top ? ends : top + Math.round((end - start) / 60_000)
    const shown = Math.min(top, dayMinutes - minMinutes)
    found.push([
      date,
      {
        event,
        top: shown,
        bottom: Math.min(dayMinutes, Math.max(bottom, shown + minMinutes)),
        isStart: date === first,
        isEnd
      }
    ])
  }
  return found
}

/** Returns the segments of all calendar events by date, in the order of their starts. */
export const byDate = <E extends Timed>(
  events: ReadonlyArray<E>,
  zone: string
): ReadonlyMap<string, ReadonlyArray<Segment<E>>> => {
  const days = new Map<string, Array<Segment<E>>>()
  for (const event of events)
    for (const [date, segment] of segmentsOf(event, zone)) {
      const day = days.get(date)
      if (day === undefined) days.set(date, [segment])
      else day.push(segment)
    }
  for (const day of days.values()) day.sort((a, b) => a.top - b.top || b.bottom - a.bottom)
  return days
}

/** Returns the segments of a date, with those that overlap in lanes beside each other. They have to be ordered by start. */
export const placed = <E>(segments: ReadonlyArray<Segment<E>>): ReadonlyArray<PlacedSegment<E>> => {
  const done: Array<PlacedSegment<E>> = []
  let group: Array<Omit<PlacedSegment<E>, "lanes">> = []
  let laneEnds: Array<number> = []
  const close = () => {
    done.push(...group.map((segment) => ({ ...segment, lanes: laneEnds.length })))
    group = []
    laneEnds = []
  }
  for (const segment of segments) {
    if (laneEnds.every((end) => end <= segment.top)) close()
    const free = laneEnds.findIndex((end) => end <= segment.top)
    const lane = free === -1 ? laneEnds.length : free
    laneEnds[lane] = segment.bottom
    group.push({ ...segment, lane })
  }
  close()
  return done
}

/**
 * Returns the time of a calendar event when it is put at a time of day of a date, in epoch milliseconds. Its length stays,
 * also when the clock is changed in between.
 */
export const movedTo = (
  event: Timed,
  date: string,
  minutes: number,
  zone: string
): { readonly start: number; readonly end: number } => {
  const [start, end] = [Date.parse(event.start_time), Date.parse(event.end_time)]
  const wall = wallAt(date, minutes)
  // The clock may show the wall time twice. An event that is dropped where it was does not change.
  const to = wall === wallOf(start, zone) ? start : instantOf(wall, zone)
  return { start: to, end: to + end - start }
}
