/** How the dashboard writes times, amounts and numbers. */
export interface Formats {
  readonly zone: string
  /** The zone as a person reads it, such as America/New York. */
  readonly zoneName: string
  /** A date and a time of day in the zone of the account. */
  readonly time: (instant: string) => string
  /** As `time`, with seconds, for what follows one another quickly. */
  readonly moment: (instant: string) => string
  /** A date in the zone of the account. */
  readonly date: (instant: string) => string
  /** A time of day in the zone of the account. */
  readonly clock: (instant: string) => string
  /** A calendar date such as 2026-03-09, without a zone. */
  readonly day: (date: string) => string
  readonly number: (value: number) => string
  /** A number of things: `1 call`, `1,200 calls`, or `more than 10,000 calls` when the count has ended at its maximum. */
  readonly counted: (value: number, one: string, many: string, isCapped?: boolean) => string
  /** An amount of money, in units of the currency. */
  readonly money: (value: number) => string
  /** A length in seconds as minutes and seconds. */
  readonly duration: (seconds: number) => string
  /** Today's date in the zone of the account. */
  readonly today: () => string
  /** The calendar date of an instant in the zone of the account. */
  readonly dateOf: (instant: Date) => string
}

/** Returns the formats for a time zone, in the language of the browser. */
export const makeFormats = (zone: string): Formats => {
  const [time, moment, date, clock] = [
    new Intl.DateTimeFormat(undefined, { timeZone: zone, dateStyle: "medium", timeStyle: "short" }),
    new Intl.DateTimeFormat(undefined, { timeZone: zone, dateStyle: "medium", timeStyle: "medium" }),
    new Intl.DateTimeFormat(undefined, { timeZone: zone, dateStyle: "medium" }),
    new Intl.DateTimeFormat(undefined, { timeZone: zone, timeStyle: "short" })
  ]
  const day = new Intl.DateTimeFormat(undefined, { timeZone: "UTC", month: "short", day: "numeric" })
  const iso = new Intl.DateTimeFormat("sv-SE", { timeZone: zone })
  const number = new Intl.NumberFormat()
  const money = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 4 })
  return {
    zone,
    zoneName: zone.replaceAll("_", " "),
    time: (instant) => time.format(new Date(instant)),
    moment: (instant) => moment.format(new Date(instant)),
    date: (instant) => date.format(new Date(instant)),
    clock: (instant) => clock.format(new Date(instant)),
    day: (text) => day.format(new Date(`${text}T00:00:00Z`)),
    number: (value) => number.format(value),
    counted: (value, one, many, isCapped = false) =>
      `${isCapped ? "more than " : ""}${number.format(value)} ${value === 1 ? one : many}`,
    money: (value) => money.format(value),
    duration: (seconds) => `${Math.floor(seconds / 60)}:${String(Math.round(seconds) % 60).padStart(2, "0")}`,
    today: () => iso.format(new Date()),
    dateOf: (instant) => iso.format(instant)
  }
}

/** Returns the minutes from midnight of a time of day such as `09:30`. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** Returns the date some days after a date. */
export const daysAfter = (date: string, days: number): string => {
  const at = new Date(`${date}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}

/** Returns a word of the API, such as `no_answer`, as a person reads it. */
export const words = (name: string): string => {
  const text = name.replaceAll("_", " ").replaceAll(".", " ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}
