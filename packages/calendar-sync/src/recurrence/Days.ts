/** Milliseconds of a day on a clock that never changes. */
export const day = 86_400_000

/** The day of a wall time: how many days after 1970-01-01. */
export const dayOf = (wall: number): number => Math.floor(wall / day)

/** The day of a date; `month` counts from 1, and 13 is January of the next year. */
export const fromDate = (year: number, month: number, dayOfMonth: number): number => {
  // Years begin in March here, so that the leap day is the last: of 400 years all have the same days.
  const months = year * 12 + month - 3
  const fromMarch = Math.floor(months / 12)
  const monthFromMarch = months - fromMarch * 12
  const leapDays = Math.floor(fromMarch / 4) - Math.floor(fromMarch / 100) + Math.floor(fromMarch / 400)
  return fromMarch * 365 + leapDays + Math.floor((153 * monthFromMarch + 2) / 5) + dayOfMonth - 719_469
}

/** The date of a day; `month` counts from 1. */
export const toDate = (
  dayNumber: number
): { readonly year: number; readonly month: number; readonly dayOfMonth: number } => {
  const days = dayNumber + 719_468
  const era = Math.floor(days / 146_097)
  const ofEra = days - era * 146_097
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1_460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365
  )
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * ofYear + 2) / 153)
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    dayOfMonth: ofYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  }
}

/** The weekday of a day: 0 is Monday. */
export const weekdayOf = (dayNumber: number): number => modulo(dayNumber + 3, 7)

/** The remainder that is never negative. */
export const modulo = (value: number, by: number): number => ((value % by) + by) % by
