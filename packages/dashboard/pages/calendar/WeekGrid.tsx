import type { CalendarEventItem } from "@frontdesk/client"
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import { useSession } from "../app/Session.tsx"
import { BusyBlock } from "./BusyLook.tsx"
import type { BusyTime } from "./busyTimes.ts"
import { dayName, dayNumber, weekdayName } from "./calendarDays.ts"
import type { TimeRange } from "./eventValues.ts"
import { byDate, dayMinutes, placed, type PlacedSegment } from "./dayLayout.ts"
import { eventLook, EventText } from "./EventLook.tsx"
import { FreeTimeBlock } from "./FreeTimeBlock.tsx"
import type { FreeTime } from "./freeTimes.ts"
import { useEventDrag } from "./useEventDrag.ts"
import { dateOfWall, instantOf, isClockChanged, minutesOfWall, wallAt, wallOf } from "./zonedTime.ts"

/** What a view of the calendar shows, and what can be done in it. */
export interface CalendarViewProps {
  readonly dates: ReadonlyArray<string>
  readonly events: ReadonlyArray<CalendarEventItem>
  /** The times that external calendars take beside the events. */
  readonly busy: ReadonlyArray<BusyTime>
  readonly onEvent: (id: number) => void
}

/** What the views of a week have in addition. */
export interface WeekProps extends CalendarViewProps {
  /** The free times by date. */
  readonly free: ReadonlyMap<string, ReadonlyArray<FreeTime>>
  /** Null when the person may not create events. */
  readonly onSlot: ((range: TimeRange) => void) | null
}

/** A quarter of an hour is 1 rem high. */
const rem = (minutes: number): string => `${minutes / 15}rem`

const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** Returns the present time in the zone as a wall time, and renders again each minute. */
const useNow = (zone: string): string => {
  const [now, setNow] = useState(() => wallOf(Date.now(), zone))
  useEffect(() => {
    const timer = setInterval(() => setNow(wallOf(Date.now(), zone)), 60_000)
    return () => clearInterval(timer)
  }, [zone])
  return now
}

/** Returns the first hour in which the account works on any day. */
const useFirstHour = (): number => {
  const { working_hours: week } = useSession().account
  const starts = Object.values(week).flatMap((windows) => (windows ?? []).map(([start]) => Number(start.slice(0, 2))))
  return starts.length === 0 ? 8 : Math.min(...starts)
}

const DayHeads = ({ dates, today }: { readonly dates: ReadonlyArray<string>; readonly today: string }) => {
  const { zone } = useSession().formats
  return (
    <div className="border-line bg-card sticky top-0 z-30 grid grid-cols-[4rem_repeat(7,minmax(0,1fr))] border-b">
      <span />
      {dates.map((date) => (
        <h3
          key={date}
          aria-current={date === today ? "date" : undefined}
          className="border-line grid justify-items-center border-l px-1 py-2 text-xs"
        >
          <span className="text-muted">{weekdayName(date)}</span>
          <span
            className={`rounded-full px-2 text-base font-semibold ${date === today ? "bg-accent-ground text-white" : ""}`}
          >
            {dayNumber(date)}
          </span>
          {date === today && <span className="sr-only">today</span>}
          {isClockChanged(date, zone) && <span className="text-warn">Clocks change</span>}
        </h3>
      ))}
    </div>
  )
}

const EventBlock = ({
  handlers,
  isDragged,
  onOpen,
  segment
}: {
  readonly segment: PlacedSegment<CalendarEventItem>
  readonly isDragged: boolean
  readonly onOpen: () => void
  readonly handlers: object
}) => {
  const { bottom, event, lane, lanes, top } = segment
  return (
    <button
      type="button"
      onClick={onOpen}
      title={event.title}
      {...handlers}
      className={`absolute z-10 flex items-start overflow-hidden rounded-sm border border-l-4 px-1 text-left text-xs leading-[0.9rem] break-words select-none ${eventLook(event)} ${isDragged ? "border-dashed" : ""}`}
      style={{
        top: rem(top),
        height: rem(bottom - top),
        left: `${(100 * lane) / lanes}%`,
        width: `calc(${100 / lanes}% - 2px)`
      }}
    >
      <span className="min-w-0">
        <EventText segment={segment} isNarrow={lanes > 2} />
      </span>
    </button>
  )
}

/** A week as columns of days, with hours from above to below. Events can be dragged to another time. */
export const WeekGrid = ({
  busy,
  dates,
  events,
  free,
  onEvent,
  onMove,
  onSlot
}: WeekProps & {
  /** Null when the person may not move events. */
  readonly onMove: ((event: CalendarEventItem, to: TimeRange) => void) | null
}) => {
  const { clock, zone } = useSession().formats
  const days = useMemo(() => byDate(events, zone), [events, zone])
  const taken = useMemo(() => byDate(busy, zone), [busy, zone])
  const now = useNow(zone)
  const today = dateOfWall(now)
  const firstHour = useFirstHour()
  const box = useRef<HTMLDivElement>(null)
  const first = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (box.current !== null && first.current !== null) box.current.scrollTop = first.current.offsetTop - 8
  }, [])
  const { columns, drag, handlersOf, isEndOfDrag } = useEventDrag(dates, zone, onMove ?? (() => undefined))
  return (
    // The hours scroll by themselves, also with the keyboard.
    <div ref={box} className="relative max-h-[75dvh] overflow-y-auto" role="region" aria-label="Week" tabIndex={0}>
      <DayHeads dates={dates} today={today} />
      <div className="grid grid-cols-[4rem_minmax(0,1fr)]">
        <div aria-hidden="true" className="relative" style={{ height: rem(dayMinutes) }}>
          {hours.map((hour) => (
            <span
              key={hour}
              className="text-muted absolute right-2 text-xs tabular-nums"
              style={{ top: hour === 0 ? 0 : `calc(${rem(hour * 60)} - 0.5rem)` }}
            >
              <HourName hour={hour} />
            </span>
          ))}
        </div>
        <div ref={columns} className="relative grid grid-cols-7">
          {hours.map((hour) => (
            <span
              key={hour}
              ref={hour === Math.max(0, firstHour - 1) ? first : undefined}
              aria-hidden="true"
              className="border-line pointer-events-none absolute inset-x-0 border-t"
              style={{ top: rem(hour * 60) }}
            />
          ))}
          {dates.map((date) => (
            <section key={date} aria-label={dayName(date)} className="border-line relative border-l">
              {(taken.get(date) ?? []).map((segment) => (
                <BusyBlock key={segment.event.id} date={date} segment={segment} />
              ))}
              {(free.get(date) ?? []).map((time) => (
                <FreeTimeBlock key={time.range.start} time={time} onSlot={onSlot} />
              ))}
              {placed(days.get(date) ?? []).map((segment) => (
                <EventBlock
                  key={segment.event.id}
                  segment={segment}
                  isDragged={drag?.event.id === segment.event.id}
                  onOpen={() => {
                    if (!isEndOfDrag()) onEvent(segment.event.id)
                  }}
                  handlers={onMove === null ? {} : handlersOf(segment)}
                />
              ))}
              {date === today && (
                <span
                  aria-hidden="true"
                  className="border-bad pointer-events-none absolute inset-x-0 z-20 border-t-2"
                  style={{ top: rem(minutesOfWall(now)) }}
                />
              )}
              {drag?.date === date && (
                <div
                  className="border-accent bg-card text-accent pointer-events-none absolute inset-x-0 z-20 overflow-hidden rounded-sm border-2 px-1 text-xs shadow-lg"
                  style={{
                    top: rem(drag.top),
                    height: rem(Math.min(dayMinutes - drag.top, Math.max(15, (drag.to.end - drag.to.start) / 60_000)))
                  }}
                >
                  {clock(new Date(drag.to.start).toISOString())} <bdi className="font-medium">{drag.event.title}</bdi>
                </div>
              )}
            </section>
          ))}
        </div>
      </div>
    </div>
  )
}

const hourFormat = new Intl.DateTimeFormat(undefined, { timeZone: "UTC", hour: "numeric" })

/** The name of a full hour, on a date on which no clock is changed. */
const HourName = ({ hour }: { readonly hour: number }) =>
  hourFormat.format(instantOf(wallAt("2026-01-01", hour * 60), "UTC"))
