/** A local date with its relation to the present date. */
export interface SpokenDay {
  readonly year: number
  /** The month, 1 to 12. */
  readonly month: number
  readonly day: number
  /** The day of the week as in ISO 8601: 1 is Monday, 7 is Sunday. */
  readonly weekday: number
  /** The days from the present local date to this one, negative for a day in the past. */
  readonly daysFromNow: number
  /** Whether the day is in the present month of the present year. */
  readonly isThisMonth: boolean
}

/** A wall time. */
export interface SpokenTime {
  /** The hour, 0 to 23. */
  readonly hour: number
  readonly minute: number
  /** Whether clocks show this time a second time on its date, because they were set back before. */
  readonly isSecond: boolean
}

/**
 * The words that tools say. {@link english} is the default; an account in another language replaces it.
 *
 * Each text is one line of plain words, without marks such as `*` or `:` that a voice would read or stumble over. An argument
 * `when` or `appointment` is a text that {@link Texts.moment} returned. `slots` has one for each day, as `Speech.choices`
 * returns them.
 */
export interface Texts {
  /** The language as a tag of BCP 47, such as `en`. */
  readonly language: string
  /** The name of a day of the week: 1 is Monday, 7 is Sunday. */
  readonly weekday: (weekday: number) => string
  /** Returns the day of the week that a text names, or undefined. A model types it, perhaps shortened or in capitals. */
  readonly parseWeekday: (text: string) => number | undefined
  readonly day: (day: SpokenDay) => string
  readonly time: (time: SpokenTime) => string
  /** A day with a time, from the results of `day` and `time`. */
  readonly moment: (day: string, time: string) => string
  /** Times of one day to choose from: "3 pm, 3:30 pm or 4 pm". */
  readonly choice: (times: ReadonlyArray<string>) => string

  /** A typed date that is not in the calendar, such as 30 February. */
  readonly noSuchDate: string
  /** A typed weekday that is not the one of the typed date. `day` has the right weekday. */
  readonly wrongWeekday: (day: SpokenDay) => string
  /** A typed time that clocks skip on that day, because they are set forward. */
  readonly skippedTime: (day: string) => string

  /** The tool took too long. */
  readonly timeout: string
  /** The tool failed with a defect. */
  readonly serverError: string
  readonly unknownTool: string
  /** The arguments of the tool are wrong. `field` is the first wrong one, or "" when the arguments are not an object. */
  readonly invalidArguments: (field: string) => string
  /** One message of a provider has more tool calls than its maximum. */
  readonly tooManyCalls: string

  /** The title of an appointment to which the model gave none. */
  readonly appointmentTitle: string

  /** The answer of `get_context`: the weekday, the date and the time. `time` is a text that {@link Texts.time} returned. */
  readonly now: (day: SpokenDay, time: string) => string
  readonly slots: (slots: ReadonlyArray<string>) => string
  readonly slotHeld: (when: string) => string
  readonly booked: (when: string) => string
  /** The slot is taken. `slots` are the nearest free ones. */
  readonly slotTaken: (slots: ReadonlyArray<string>) => string
  /** The slot begins so soon that it can no longer be booked. `slots` are the nearest free ones. */
  readonly tooLate: (slots: ReadonlyArray<string>) => string
  /** The same conversation has booked the slot already. */
  readonly alreadyBooked: (when: string) => string
  /** The slot was offered too long ago. */
  readonly slotExpired: string
  readonly tooManyHolds: string
  readonly appointments: (appointments: ReadonlyArray<string>) => string
  readonly moved: (when: string) => string
  readonly cancelled: (appointment: string) => string
  /** There is no such appointment, or it is not one of the person on the telephone. */
  readonly appointmentNotFound: string
  /** The appointment is over or cancelled, so it can be neither moved nor cancelled. */
  readonly appointmentOver: string
  /** The appointment is to be moved to a slot that is not as long. */
  readonly durationMismatch: (minutes: number) => string
  /** The answer of `get_contact`. `name` is null when no name is stored. */
  readonly contact: (name: string | null) => string
  readonly contactNotFound: string
  readonly contactUpdated: string
  readonly variablesSet: string
  readonly optedOut: string
  /** The title of the calendar event of a call back. */
  readonly callbackTitle: (phoneNumber: string) => string
  readonly callbackRequested: (when: string) => string
  /** The number of the caller is not known, so the caller must name one. */
  readonly phoneNumberMissing: string
  /** No agent has the number that the caller has dialled. A provider says it before it hangs up. */
  readonly unknownNumber: string
  /** The account cannot take the call: it lacks the funds, or has too many calls. A provider says it before it hangs up. */
  readonly lineBusy: string
  /** The account does not let the person on the telephone read or change this. */
  readonly notAllowed: string
  /** External calendars cannot be read at present. */
  readonly calendarUnavailable: string
}
