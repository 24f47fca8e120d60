import * as Schema from "effect/Schema"

const exists = (text: string): boolean => {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

const daysInMonth = (year: number, month: number): number =>
  month === 2 ? (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

/** A day of the calendar without time or zone, written `YYYY-MM-DD`. The day must exist. */
export const CalendarDate = Schema.String.check(
  Schema.makeFilter(exists, { identifier: "CalendarDate", description: "an existing date written YYYY-MM-DD" })
).pipe(Schema.brand("CalendarDate"))

/** A day of the calendar without time or zone, written `YYYY-MM-DD`. */
export type CalendarDate = typeof CalendarDate.Type
