import { useSession } from "../app/Session.tsx"
import { nameOf } from "../settings/calendarProviders.ts"
import type { BusyTime } from "./busyTimes.ts"
import { dayName } from "./calendarDays.ts"
import { dayMinutes, type Segment } from "./dayLayout.ts"

/** Returns the names of the calendars that are busy. */
const namesOf = ({ providers }: Pick<BusyTime, "providers">): string => providers.map(nameOf).join(", ")

/** The part of a busy time on one date, as a text. */
const BusyText = ({ segment: { bottom, event, isEnd, isStart, top } }: { readonly segment: Segment<BusyTime> }) => {
  const { clock } = useSession().formats
  const [start, end] = [clock(event.start_time), clock(event.end_time)]
  const part = isStart && isEnd ? `${start} – ${end}` : isStart ? `from ${start}` : `until ${end}`
  const time = top === 0 && bottom === dayMinutes ? "all day" : part
  return (
    <>
      Busy <span className="tabular-nums">{time}</span> · {namesOf(event)}
    </>
  )
}

/** A busy time in the grid of the week, behind the events. */
export const BusyBlock = ({ date, segment }: { readonly date: string; readonly segment: Segment<BusyTime> }) => (
  <p
    className="busy-ground text-muted border-field pointer-events-none absolute inset-x-0 overflow-hidden border-r-4 border-dotted px-1 text-xs leading-[0.9rem] break-words"
    style={{ top: `${segment.top / 15}rem`, height: `calc(${(segment.bottom - segment.top) / 15}rem - 1px)` }}
  >
    <BusyText segment={segment} />
    <span className="sr-only"> on {dayName(date)}</span>
  </p>
)

/** The busy times of one day as a list. */
export const BusyList = ({ segments }: { readonly segments: ReadonlyArray<Segment<BusyTime>> }) =>
  segments.length === 0 ? null : (
    <ul aria-label="Busy in other calendars" className="grid gap-1">
      {segments.map((segment) => (
        <li
          key={segment.event.id}
          className="busy-ground text-muted border-field rounded-md border-r-4 border-dotted px-3 py-1.5 text-xs"
        >
          <BusyText segment={segment} />
        </li>
      ))}
    </ul>
  )

/** How many busy times a day of the month has. */
export const BusyCount = ({ segments }: { readonly segments: ReadonlyArray<Segment<BusyTime>> }) => {
  const count = segments.length
  if (count === 0) return null
  const names = [...new Set(segments.flatMap(({ event }) => event.providers))].map(nameOf).join(", ")
  return (
    <p className="busy-ground text-muted border-field justify-self-center rounded-sm border-r-4 border-dotted px-1 text-xs md:justify-self-stretch">
      <span aria-hidden="true">{count} busy</span>
      <span className="sr-only">
        {count === 1 ? "1 time" : `${count} times`} busy in {names}
      </span>
    </p>
  )
}
