import type { CalendarEventItem } from "@frontdesk/client"
import { getRouteApi } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { filterIn } from "../app/filters.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Checkbox, Field, Select } from "../ui/Field.tsx"
import { Card, Page } from "../ui/Page.tsx"
import { Problem } from "../ui/Problem.tsx"
import { Remote } from "../ui/Remote.tsx"
import { useMedia } from "../ui/useMedia.ts"
import { besideEvents } from "./busyTimes.ts"
import { datesOf, daysFrom, firstDayIn, isDate, rangeName, turned, type View } from "./calendarDays.ts"
import { useBusyTimes, useEvents, useFreeTimes } from "./calendarEvents.ts"
import type { TimeRange } from "./eventValues.ts"
import { Connections } from "./Connections.tsx"
import { freeTimesOf } from "./freeTimes.ts"
import { EventDialog } from "./EventDialog.tsx"
import { CreateEvent } from "./EventForm.tsx"
import { MonthGrid } from "./MonthGrid.tsx"
import { MoveEvent } from "./MoveEvent.tsx"
import { isOpenOn, isWeekOver } from "./openDays.ts"
import { WeekGrid } from "./WeekGrid.tsx"
import { WeekList } from "./WeekList.tsx"
import { dateOfWall, instantOf, wallAt, wallOf } from "./zonedTime.ts"

const route = getRouteApi("/calendar")

/** The first day of the week where the person is. */
const firstDay = firstDayIn(navigator.language)

/** The durations for which free times can be shown, in minutes. */
const durations = [15, 30, 45, 60, 90, 120]

/** What the address of the page says is shown. */
const useShown = () => {
  const { date: given, minutes: wanted, view: named } = route.useSearch()
  const { account, formats } = useSession()
  const view: View = named === "month" ? "month" : "week"
  const today = formats.today()
  const date = given !== undefined && isDate(given) ? given : today
  const isAhead = view === "week" && given === undefined && isWeekOver(account, today, firstDay)
  const minutes = view === "week" ? durations.find((duration) => String(duration) === wanted) : undefined
  const dates = useMemo(
    () => (isAhead ? daysFrom(today, 7) : datesOf(view, date, firstDay)),
    [isAhead, today, view, date]
  )
  return { view, date, dates, isAhead, minutes: minutes ?? null }
}

type Search = ReturnType<typeof route.useSearch>

const useShow = () => {
  const navigate = route.useNavigate()
  return (change: Search, isReplaced = false) =>
    void navigate({ search: (current: Search): Search => ({ ...current, ...change }), replace: isReplaced })
}

const Toolbar = ({
  onCancelled,
  withCancelled
}: {
  readonly withCancelled: boolean
  readonly onCancelled: (shown: boolean) => void
}) => {
  const { date, dates, isAhead, minutes, view } = useShown()
  const show = useShow()
  const turn = (by: -1 | 1) => {
    // Seven days from today on have a part of this week and a part of the next one. The whole weeks beside them are shown next.
    if (!isAhead) show({ date: turned(view, date, by) })
    else show({ date: by === -1 ? date : turned(view, dates.at(-1) ?? date, by) })
  }
  return (
    <div className="flex flex-wrap items-end gap-3 p-4">
      <div className="flex gap-2" role="group" aria-label="Move through the calendar">
        <Button aria-label={`Previous ${view}`} onClick={() => turn(-1)}>
          ←
        </Button>
        <Button onClick={() => show({ date: undefined })}>Today</Button>
        <Button aria-label={`Next ${view}`} onClick={() => turn(1)}>
          →
        </Button>
      </div>
      <div className="flex" role="group" aria-label="View">
        {(["week", "month"] as const).map((one) => (
          <Button
            key={one}
            aria-pressed={view === one}
            className={`first:rounded-r-none last:rounded-l-none last:border-l-0 ${view === one ? "bg-raised text-accent" : ""}`}
            onClick={() => show({ view: one })}
          >
            {one === "week" ? "Week" : "Month"}
          </Button>
        ))}
      </div>
      <div className="w-40">
        <Field
          label="Date"
          type="date"
          value={date}
          onChange={({ target: { value } }) => {
            if (isDate(value)) show({ date: value }, true)
          }}
        />
      </div>
      {view === "week" && (
        <div className="w-40">
          <Select
            label="Free times"
            value={minutes ?? ""}
            onChange={({ target: { value } }) => show({ minutes: filterIn(value) }, true)}
          >
            <option value="">Do not show</option>
            {durations.map((duration) => (
              <option key={duration} value={duration}>
                of {duration} minutes
              </option>
            ))}
          </Select>
        </div>
      )}
      <div className="py-2">
        <Checkbox
          label="Show cancelled events"
          checked={withCancelled}
          onChange={({ target: { checked } }) => onCancelled(checked)}
        />
      </div>
    </div>
  )
}

/**
 * Returns the time that a new event begins with: the next full hour of today, or ten o'clock on the date that is shown. When the week is
 * over, it is ten o'clock on the next working day.
 */
const useNextTime = (): (() => TimeRange) => {
  const { date: shown, dates, isAhead } = useShown()
  const { account, formats } = useSession()
  const { zone } = formats
  return () => {
    const date = (isAhead ? dates.find((one) => isOpenOn(account, one)) : undefined) ?? shown
    const now = wallOf(Date.now(), zone)
    const isToday = dateOfWall(now) === date
    const start = instantOf(wallAt(date, isToday ? (Number(now.slice(11, 13)) + 1) * 60 : 600), zone)
    return { start, end: start + 30 * 60_000 }
  }
}

/** What is said about the events that are shown. */
const summaryOf = (count: number, free: number | null, busy: number): string =>
  [
    count === 0 ? "No events" : count === 1 ? "1 event" : `${count} events`,
    ...(busy === 0 ? [] : [busy === 1 ? "1 time busy elsewhere" : `${busy} times busy elsewhere`]),
    ...(free === null ? [] : [free === 0 ? "no free times" : free === 1 ? "1 free time" : `${free} free times`])
  ].join(", ")

/** The calendar of the account, as a week or a month. */
export const CalendarPage = () => {
  const { can, formats } = useSession()
  const { date, dates, minutes, view } = useShown()
  const { event: open } = route.useSearch()
  const show = useShow()
  const isWide = useMedia("(min-width: 48rem)")
  const nextTime = useNextTime()
  const [withCancelled, setWithCancelled] = useState(true)
  const [creating, setCreating] = useState<TimeRange | null>(null)
  const [moving, setMoving] = useState<{ readonly event: CalendarEventItem; readonly to: TimeRange } | null>(null)

  const events = useEvents(dates)
  const busy = useBusyTimes(dates)
  const free = useFreeTimes(dates, minutes)
  const slots = minutes === null ? undefined : free.data?.available_slots
  const times = useMemo(() => freeTimesOf(slots ?? [], formats.zone), [slots, formats.zone])
  const freeCount = [...times.values()].reduce((sum, { length }) => sum + length, 0)
  const shown = useMemo(
    () => (events.data ?? []).filter(({ status }) => withCancelled || status !== "cancelled"),
    [events.data, withCancelled]
  )
  const taken = useMemo(() => besideEvents(busy.data?.busy_times ?? [], events.data ?? []), [busy.data, events.data])
  const canWrite = can("can_write_calendar")
  const onEvent = (id: number) => show({ event: String(id) })
  const week = { dates, events: shown, busy: taken, free: times, onEvent, onSlot: canWrite ? setCreating : null }

  return (
    <Page
      title="Calendar"
      hint={`Times are in ${formats.zone.replaceAll("_", " ")}.`}
      actions={
        canWrite && (
          <Button kind="primary" onClick={() => setCreating(nextTime())}>
            New event
          </Button>
        )
      }
    >
      <Card>
        <Toolbar withCancelled={withCancelled} onCancelled={setWithCancelled} />
        <div className="border-line flex flex-wrap items-baseline justify-between gap-x-4 border-y px-4 py-2">
          <h2 className="font-semibold">{rangeName(view, date, dates)}</h2>
          <p className="text-muted text-sm" aria-live="polite">
            {events.isPlaceholderData || (minutes !== null && free.isPending)
              ? "Loading…"
              : events.isSuccess &&
                summaryOf(shown.length, minutes === null || free.isError ? null : freeCount, taken.length)}
          </p>
        </div>
        <Connections busy={busy.data} />
        {minutes !== null && free.isError && (
          <div className="p-4">
            <Problem error={free.error} onAgain={() => void free.refetch()} />
          </div>
        )}
        {busy.isError && (
          <div className="p-4">
            <Problem error={busy.error} onAgain={() => void busy.refetch()} />
          </div>
        )}
        {free.data?.truncated === true && minutes !== null && (
          <p className="text-muted px-4 py-2 text-sm">There are more free times than the calendar can show.</p>
        )}
        <Remote query={events}>
          {() =>
            view === "month" ? (
              <MonthGrid dates={dates} month={date.slice(0, 7)} events={shown} busy={taken} onEvent={onEvent} />
            ) : isWide ? (
              <WeekGrid {...week} onMove={canWrite ? (event, to) => setMoving({ event, to }) : null} />
            ) : (
              <WeekList {...week} />
            )
          }
        </Remote>
      </Card>
      {open !== undefined && <EventDialog key={open} id={open} onClose={() => show({ event: undefined })} />}
      {creating !== null && <CreateEvent initial={creating} onClose={() => setCreating(null)} />}
      {moving !== null && <MoveEvent event={moving.event} to={moving.to} onClose={() => setMoving(null)} />}
    </Page>
  )
}
