import type { CalendarEventItem } from "@frontdesk/client"
import { type PointerEvent, useEffect, useRef, useState } from "react"
import { rangeOf, type TimeRange } from "./eventValues.ts"
import { dayMinutes, movedTo, type Segment } from "./dayLayout.ts"

/** An event that is being dragged, and where it would be put. */
export interface EventDrag {
  readonly event: CalendarEventItem
  readonly date: string
  /** The minutes of the clock from midnight at which it would start. */
  readonly top: number
  readonly to: TimeRange
}

interface Gesture {
  readonly segment: Segment<CalendarEventItem>
  readonly x: number
  readonly y: number
  /** The minutes between the start of the event and where it was taken. */
  readonly grip: number
}

/** Events are put at multiples of this many minutes. */
const snap = 15

/** How many pixels the pointer moves before a press becomes a drag. */
const threshold = 5

/**
 * Lets events be dragged with a mouse or a pen to another time or day. A touch scrolls the calendar instead, and the form of
 * an event moves it without dragging.
 *
 * @param dates the dates of the columns
 * @param onDrop what happens when an event is put at another time
 */
export const useEventDrag = (
  dates: ReadonlyArray<string>,
  zone: string,
  onDrop: (event: CalendarEventItem, to: TimeRange) => void
) => {
  const columns = useRef<HTMLDivElement>(null)
  const gesture = useRef<Gesture>(null)
  const wasDragged = useRef(false)
  const [drag, setDrag] = useState<EventDrag | null>(null)
  const isDragging = drag !== null

  const stop = () => {
    gesture.current = null
    setDrag(null)
  }
  useEffect(() => {
    if (!isDragging) return undefined
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === "Escape") stop()
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [isDragging])

  /** Returns the column and the minutes from midnight at a point of the screen. */
  const placeOf = (x: number, y: number) => {
    const box = columns.current?.getBoundingClientRect()
    if (box === undefined) return { column: 0, minutes: 0 }
    const column = Math.floor(((x - box.left) / box.width) * dates.length)
    return {
      column: Math.min(dates.length - 1, Math.max(0, column)),
      minutes: ((y - box.top) / box.height) * dayMinutes
    }
  }

  return {
    columns,
    drag,
    /** Returns whether a click only ends a drag, so that it does not open the event. */
    isEndOfDrag: () => wasDragged.current,
    /** Returns what makes the button of a segment draggable. */
    handlersOf: (segment: Segment<CalendarEventItem>) => ({
      onPointerDown: (pointer: PointerEvent<HTMLElement>) => {
        wasDragged.current = false
        if (!segment.isStart || pointer.button !== 0 || pointer.pointerType === "touch") return
        const { clientX: x, clientY: y } = pointer
        gesture.current = { segment, x, y, grip: placeOf(x, y).minutes - segment.top }
        pointer.currentTarget.setPointerCapture(pointer.pointerId)
      },
      onPointerMove: ({ clientX: x, clientY: y }: PointerEvent<HTMLElement>) => {
        const { current } = gesture
        if (current === null) return
        if (!isDragging && Math.hypot(x - current.x, y - current.y) < threshold) return
        wasDragged.current = true
        const { column, minutes } = placeOf(x, y)
        const top = Math.min(dayMinutes - snap, Math.max(0, Math.round((minutes - current.grip) / snap) * snap))
        const { event } = current.segment
        const date = dates[column] ?? ""
        setDrag({ event, date, top, to: movedTo(event, date, top, zone) })
      },
      onPointerUp: () => {
        if (drag !== null && drag.to.start !== rangeOf(drag.event).start) onDrop(drag.event, drag.to)
        stop()
      },
      onPointerCancel: stop
    })
  }
}
