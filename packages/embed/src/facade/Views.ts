import type { AvailabilityAnswer } from "@frontdesk/core/availability/Availability"
import { formatOffset } from "@frontdesk/core/values/TimeZone"
import * as Plain from "./Plain.ts"

type View = (result: never) => unknown

/** Returns the free slots with their times in the time zone of the answer, as the API shows them. */
const availability = ({ nextStart, slots, timeZone, ...answer }: AvailabilityAnswer) => ({
  ...answer,
  timeZone,
  slots: slots.map(({ end, start }) => ({ start: formatOffset(start, timeZone), end: formatOffset(end, timeZone) })),
  nextStart: nextStart === null ? null : formatOffset(nextStart, timeZone)
})

const views: { readonly [method: string]: View } = { "availability.find": availability }

/** Returns the result of a method as plain data. */
export const of = (method: string, result: unknown): unknown => {
  const view = views[method]
  return Plain.of(view === undefined ? result : Reflect.apply(view, undefined, [result]))
}
