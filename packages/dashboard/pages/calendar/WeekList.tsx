import { useMemo } from "react"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { BusyList } from "./BusyLook.tsx"
import { dayName } from "./calendarDays.ts"
import { isoOf } from "./eventValues.ts"
import { byDate } from "./dayLayout.ts"
import { eventLook, EventText } from "./EventLook.tsx"
import type { FreeTime } from "./freeTimes.ts"
import type { WeekProps } from "./WeekGrid.tsx"
import { isClockChanged } from "./zonedTime.ts"

const Free = ({ onSlot, times }: Pick<WeekProps, "onSlot"> & { readonly times: ReadonlyArray<FreeTime> }) => {
  const { clock } = useSession().formats
  if (times.length === 0) return null
  const name = ({ end, start }: FreeTime["range"]) => `${clock(isoOf(start))} – ${clock(isoOf(end))}`
  return (
    <details>
      <summary className="text-good min-h-6 w-max text-sm">
        {times.length} free {times.length === 1 ? "time" : "times"}
      </summary>
      <ul className="mt-2 grid gap-2">
        {times.map(({ choices, date, range }) => (
          <li key={range.start} className="grid gap-1">
            <span>
              {name(range)}
              {onSlot !== null && choices.length > 1 && ", start at"}
            </span>
            {onSlot !== null && (
              <span className="flex flex-wrap gap-2">
                {choices.map((choice) => (
                  <Button key={choice.start} onClick={() => onSlot(choice)}>
                    {clock(isoOf(choice.start))}
                    <span className="sr-only">
                      {" "}
                      on {dayName(date)}, until {clock(isoOf(choice.end))}: create an event
                    </span>
                  </Button>
                ))}
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** A week as a list by day, for narrow screens. */
export const WeekList = ({ busy, dates, events, free, onEvent, onSlot }: WeekProps) => {
  const { today, zone } = useSession().formats
  const days = useMemo(() => byDate(events, zone), [events, zone])
  const taken = useMemo(() => byDate(busy, zone), [busy, zone])
  return (
    <div className="divide-line divide-y">
      {dates.map((date) => {
        const found = days.get(date) ?? []
        return (
          <section key={date} aria-label={dayName(date)} className="grid gap-2 p-4">
            <h3 className="flex flex-wrap items-baseline gap-x-2 text-sm font-semibold">
              {dayName(date)}
              {date === today() && <span className="text-accent text-xs">Today</span>}
              {isClockChanged(date, zone) && <span className="text-warn text-xs">Clocks change</span>}
            </h3>
            {found.length === 0 && <p className="text-muted text-sm">No events</p>}
            <ul className="grid gap-2">
              {found.map((segment) => (
                <li key={segment.event.id}>
                  <button
                    type="button"
                    onClick={() => onEvent(segment.event.id)}
                    className={`relative block w-full rounded-md border border-l-4 px-3 py-2 text-left text-sm break-words ${eventLook(segment.event)}`}
                  >
                    <EventText segment={segment} isEndShown />
                  </button>
                </li>
              ))}
            </ul>
            <BusyList segments={taken.get(date) ?? []} />
            <Free times={free.get(date) ?? []} onSlot={onSlot} />
          </section>
        )
      })}
    </div>
  )
}
