import type { CalendarEventItem } from "@frontdesk/client"
import { useSession } from "../app/Session.tsx"
import type { Tone } from "../ui/Badge.tsx"
import { words } from "../ui/formats.ts"
import { dayName } from "./calendarDays.ts"
import { rangeOf } from "./eventValues.ts"
import type { Segment } from "./dayLayout.ts"
import { dateOfWall, wallOf } from "./zonedTime.ts"

export const statusTones: { readonly [Status in CalendarEventItem["status"]]: Tone } = {
  scheduled: "info",
  confirmed: "good",
  completed: "plain",
  no_show: "warn",
  cancelled: "plain"
}

/** Returns the classes of an event in the calendar. An event that is over or does not take place steps back. */
export const eventLook = ({
  copy_conflicts: conflicts,
  status
}: Pick<CalendarEventItem, "copy_conflicts" | "status">): string =>
  conflicts !== undefined
    ? "bg-warn-ground text-warn border-warn hover:brightness-95"
    : status === "scheduled" || status === "confirmed"
      ? "bg-info-ground text-info border-info hover:brightness-95"
      : "bg-raised text-muted border-field hover:brightness-95"

/** What is unusual about an event: a copy about which somebody has to decide, or its status. */
const remarkOf = ({
  copy_conflicts: conflicts,
  status
}: Pick<CalendarEventItem, "copy_conflicts" | "status">): string | null =>
  conflicts !== undefined
    ? "Changed elsewhere"
    : status === "scheduled" || status === "confirmed"
      ? null
      : words(status)

/**
 * A segment of an event as the text of its button: when it is, its title, and what is unusual about its status. A cancelled
 * event is struck through. Screen readers also read what others see from the place of the button.
 */
export const EventText = ({
  isEndShown = false,
  isNarrow = false,
  segment: { event, isEnd, isStart }
}: {
  readonly segment: Pick<Segment<CalendarEventItem>, "event" | "isEnd" | "isStart">
  readonly isEndShown?: boolean
  /** Whether there is room for the title alone. The place of the button shows the time. */
  readonly isNarrow?: boolean
}) => {
  const { clock, zone } = useSession().formats
  const remark = remarkOf(event)
  const title = <bdi className="font-medium">{event.title}</bdi>
  const [start, end] = [clock(event.start_time), clock(event.end_time)]
  return (
    <>
      <span className={isNarrow ? "sr-only" : `tabular-nums ${isEndShown ? "block text-xs" : ""}`}>
        {!isStart && !isEnd ? "All day" : !isStart ? `Until ${end}` : isEndShown ? `${start} – ${end}` : start}{" "}
      </span>
      {event.status === "cancelled" ? <s>{title}</s> : title}
      {remark !== null && <span> · {remark}</span>}
      <span className="sr-only">
        , {dayName(dateOfWall(wallOf(rangeOf(event).start, zone)))}
        {!isEndShown && isStart && `, until ${end}`}
        {remark !== words(event.status) && `, ${words(event.status)}`}
      </span>
    </>
  )
}
