import { useMemo } from "react"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { BusyList } from "./BusyLook.tsx"
import { dayName } from "./calendarDays.ts"
import { isoOf } from "./eventValues.ts"
import { byDate } from "./dayLayout.ts"
import { eventLook, EventText } from "./EventLook.tsx"
import { type PlacedSlot, placedSlots } from "./FreeSlots.tsx"
import type { WeekProps } from "./WeekGrid.tsx"
import { isClockChanged } from "./zonedTime.ts"

const Free = ({ onSlot, slots }: Pick<WeekProps, "onSlot"> & { readonly slots: ReadonlyArray<PlacedSlot> }) => {
  const { clock } = useSession().formats
  if (slots.length === 0) return null
  return (
    <details>
      <summary className="text-good min-h-6 w-max text-sm">
        {slots.length} free {slots.length === 1 ? "time" : "times"}
      </summary>
      <ul className="mt-2 flex flex-wrap gap-2">
        {slots.map(({ date, range }) => {
          const start = clock(isoOf(range.start))
          return (
            <li key={range.start}>
              {onSlot === null ? (
                start
              ) : (
                <Button onClick={() => onSlot(range)}>
                  {start}
                  <span className="sr-only">
                    {" "}
                    on {dayName(date)}, until {clock(isoOf(range.end))}: create an event
                  </span>
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </details>
  )
}

/** A week as a list by day, for narrow screens. */
export const WeekList = ({ busy, dates, events, onEvent, onSlot, slots }: WeekProps) => {
  const { today, zone } = useSession().formats
  const days = useMemo(() => byDate(events, zone), [events, zone])
  const taken = useMemo(() => byDate(busy, zone), [busy, zone])
  const free = useMemo(() => placedSlots(slots, zone), [slots, zone])
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
            <Free slots={free.get(date) ?? []} onSlot={onSlot} />
          </section>
        )
      })}
    </div>
  )
}
