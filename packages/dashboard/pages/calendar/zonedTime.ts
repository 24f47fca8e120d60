/**
 * Times of day in a time zone of the IANA database, converted to instants and back. The zone of the browser has no part in
 * it. Instants are epoch milliseconds. A wall time is what a clock in the zone shows, written YYYY-MM-DDTHH:MM.
 */

const day = 86_400_000
const minute = 60_000

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat("en-US-u-ca-iso8601-nu-latn", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit"
  })
  formats.set(zone, made)
  return made
}

/** Returns what a clock in the zone shows at an instant, as if the clock were in UTC. */
const clockOf = (instant: number, zone: string): number => {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value])
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? ""
  const date = `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`
  return Date.parse(`${date}T${part("hour")}:${part("minute")}:${part("second")}Z`)
}

/** Returns how far the clock of the zone is ahead of UTC at an instant, in milliseconds. */
const offsetOf = (instant: number, zone: string): number => {
  const second = Math.floor(instant / 1_000) * 1_000
  return clockOf(second, zone) - second
}

/** Returns a wall time as if it were in UTC, or NaN when the text is not a wall time. */
const readWall = (wall: string): number =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(wall) ? Date.parse(`${wall.slice(0, 16)}:00Z`) : Number.NaN

/** Returns the wall time at an instant, without its seconds. */
export const wallOf = (instant: number, zone: string): string =>
  new Date(clockOf(instant, zone)).toISOString().slice(0, 16)

/** Returns the calendar date of a wall time. */
export const dateOfWall = (wall: string): string => wall.slice(0, 10)

/** Returns the minutes from midnight to a wall time. */
export const minutesOfWall = (wall: string): number => Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16))

/** Returns the wall time some minutes after midnight of a date. 1440 minutes are midnight of the next date. */
export const wallAt = (date: string, minutes: number): string =>
  new Date(readWall(`${date}T00:00`) + minutes * minute).toISOString().slice(0, 16)

/**
 * Returns every instant at which the clock shows a wall time, in order: usually one. There are two when the clock is set
 * back over the time, and none when it is set forward over it, or when the text is not a wall time.
 */
export const instantsOf = (wall: string, zone: string): ReadonlyArray<number> => {
  const clock = readWall(wall)
  if (Number.isNaN(clock)) return []
  // No zone is as much as a day away from UTC, so these are offsets before and after any change near the wall time.
  const offsets = new Set([offsetOf(clock - day, zone), offsetOf(clock + day, zone)])
  return [...offsets]
    .map((offset) => clock - offset)
    .filter((instant) => clockOf(instant, zone) === clock)
    .toSorted((a, b) => a - b)
}

/**
 * Returns the one instant that stands for a wall time: the first, when the clock shows it twice. A time that the clock
 * leaves out is moved later by as much as the clock is set forward. NaN when the text is not a wall time.
 */
export const instantOf = (wall: string, zone: string): number => {
  const [first] = instantsOf(wall, zone)
  if (first !== undefined) return first
  const clock = readWall(wall)
  return Number.isNaN(clock) ? clock : clock - offsetOf(clock - day, zone)
}

/** Returns whether the clock of the zone is changed on a date. Such a date has more or less than 24 hours. */
export const isClockChanged = (date: string, zone: string): boolean =>
  instantOf(wallAt(date, 1_440), zone) - instantOf(wallAt(date, 0), zone) !== day

/** Returns the short name of the zone at an instant, such as EDT, in the language of the browser. */
export const zoneNameAt = (instant: number, zone: string): string =>
  new Intl.DateTimeFormat(undefined, { timeZone: zone, timeZoneName: "short" })
    .formatToParts(instant)
    .find(({ type }) => type === "timeZoneName")?.value ?? zone

/** A wall time as a form has it, and which of the two instants is meant when the clock shows it twice. */
export interface WallChoice {
  readonly wall: string
  readonly isSecond: boolean
}

/** Returns the wall time that a form shows for an instant. */
export const choiceOf = (instant: number, zone: string): WallChoice => {
  const wall = wallOf(instant, zone)
  const second = instantsOf(wall, zone)[1]
  return { wall, isSecond: second !== undefined && instant >= second }
}

/** Returns the instant that a form means, or null when the clock does not show the wall time. */
export const chosenInstant = ({ isSecond, wall }: WallChoice, zone: string): number | null => {
  const [first, second] = instantsOf(wall, zone)
  return (isSecond ? second : undefined) ?? first ?? null
}
