import { getRouteApi } from "@tanstack/react-router"
import { useMemo } from "react"
import { useSession } from "../app/Session.tsx"
import { BusyCount } from "./BusyLook.tsx"
import type { BusyTime } from "./busyTimes.ts"
import { dayName, dayNumber, weekdayName } from "./calendarDays.ts"
import { byDate, type Segment } from "./dayLayout.ts"
import { eventLook, EventText } from "./EventLook.tsx"
import type { CalendarViewProps } from "./WeekGrid.tsx"
import type { CalendarEventItem } from "@frontdesk/client"

const route = getRouteApi("/calendar")

/** How many events a day of a month shows by their names. */
const maxShown = 3

const Day = ({
  busy,
  date,
  isInMonth,
  onEvent,
  segments
}: {
  readonly date: string
  readonly isInMonth: boolean
  readonly segments: ReadonlyArray<Segment<CalendarEventItem>>
  readonly busy: ReadonlyArray<Segment<BusyTime>>
  readonly onEvent: (id: number) => void
}) => {
  const { today } = useSession().formats
  const isToday = date === today()
  const count = segments.length
  const shown = count > maxShown ? segments.slice(0, maxShown - 1) : segments
  return (
    <td
      aria-current={isToday ? "date" : undefined}
      className={`border-line h-16 border-t border-l align-top first:border-l-0 md:h-28 ${isInMonth ? "" : "bg-raised"}`}
    >
      <div className="grid gap-1 p-1">
        <route.Link
          search={(current) => ({ ...current, view: "week", date })}
          className="hover:bg-raised relative grid min-h-12 content-start justify-items-center gap-1 rounded-md py-0.5 md:min-h-6 md:justify-items-start"
        >
          <span
            className={`rounded-full px-1.5 text-xs font-semibold ${isToday ? "bg-accent-ground text-white" : isInMonth ? "" : "text-muted"}`}
          >
            {dayNumber(date)}
          </span>
          <span className="sr-only">, week of {dayName(date)}</span>
          {count > 0 && (
            <span className="bg-info-ground text-info rounded-full px-2 text-xs font-medium md:hidden">
              {count}
              <span className="sr-only">{count === 1 ? " event" : " events"}</span>
            </span>
          )}
        </route.Link>
        <ul className="hidden gap-1 md:grid">
          {shown.map((segment) => (
            <li key={segment.event.id} className="min-w-0">
              <button
                type="button"
                onClick={() => onEvent(segment.event.id)}
                className={`relative block w-full truncate rounded-sm border border-l-4 px-1 text-left text-xs ${eventLook(segment.event)}`}
              >
                <EventText segment={segment} />
              </button>
            </li>
          ))}
          {count > shown.length && (
            <li>
              <route.Link
                search={(current) => ({ ...current, view: "week", date })}
                className="text-accent relative px-1 text-xs underline"
              >
                {count - shown.length} more<span className="sr-only"> on {dayName(date)}</span>
              </route.Link>
            </li>
          )}
        </ul>
        <BusyCount segments={busy} />
      </div>
    </td>
  )
}

/** A month as weeks of days. On narrow screens a day shows only how many events it has, and leads to its week. */
export const MonthGrid = ({ busy, dates, events, month, onEvent }: CalendarViewProps & { readonly month: string }) => {
  const { zone } = useSession().formats
  const days = useMemo(() => byDate(events, zone), [events, zone])
  const taken = useMemo(() => byDate(busy, zone), [busy, zone])
  const weeks = Array.from({ length: dates.length / 7 }, (_, week) => dates.slice(week * 7, week * 7 + 7))
  return (
    <table className="w-full table-fixed border-collapse" aria-label="Month">
      <thead>
        <tr>
          {dates.slice(0, 7).map((date) => (
            <th key={date} scope="col" className="text-muted py-2 text-xs font-medium">
              {weekdayName(date)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((date) => (
              <Day
                key={date}
                date={date}
                isInMonth={date.startsWith(month)}
                segments={days.get(date) ?? []}
                busy={taken.get(date) ?? []}
                onEvent={onEvent}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
