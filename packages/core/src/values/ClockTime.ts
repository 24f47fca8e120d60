import { twoDigits } from "./Digits.ts"

/** Returns the minutes from 00:00 to a wall time `HH:MM`, which may be `24:00`. Returns NaN for any other text. */
export const minuteOf = (time: string): number => {
  const [hours, minutes] = [twoDigits(time, 0), twoDigits(time, 3)]
  const isTime = time.length === 5 && time[2] === ":" && minutes < 60
  const total = hours * 60 + minutes
  return isTime && total <= dayMinutes ? total : Number.NaN
}

/** The minutes in a day of 24 hours. */
export const dayMinutes = 24 * 60
