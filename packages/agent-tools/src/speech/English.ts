import type { SpokenDay, SpokenTime, Texts } from "./Texts.ts"

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December"
]

/** A day this many days away is named with its year. */
const daysWithoutYear = 300

/** Returns the ordinal of a day of the month: 1st, 2nd, 3rd, 11th. */
const ordinal = (day: number): string => {
  const suffix = day % 100 >= 11 && day % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th")
  return `${day}${suffix}`
}

const weekday = (day: number): string => weekdays[day - 1] ?? ""

const day = (spoken: SpokenDay): string => {
  if (spoken.daysFromNow === 0) return "today"
  return spoken.daysFromNow === 1 ? "tomorrow" : date(spoken)
}

/** Returns a day by its weekday and date, also the present one. */
const date = ({ day, daysFromNow, isThisMonth, month, weekday: dayOfWeek, year }: SpokenDay): string => {
  if (isThisMonth) return `${weekday(dayOfWeek)} the ${ordinal(day)}`
  const date = `${weekday(dayOfWeek)} ${months[month - 1] ?? ""} ${ordinal(day)}`
  return Math.abs(daysFromNow) > daysWithoutYear ? `${date} ${year}` : date
}

const time = ({ hour, isSecond, minute }: SpokenTime): string => {
  const minutes = minute === 0 ? "" : `:${String(minute).padStart(2, "0")}`
  const clock = hour === 12 && minute === 0 ? "noon" : `${hour % 12 || 12}${minutes} ${hour < 12 ? "am" : "pm"}`
  return isSecond ? `${clock} after the clocks go back` : clock
}

/** Returns the texts as an enumeration: "a, b or c". */
const list = (texts: ReadonlyArray<string>, conjunction: "and" | "or"): string =>
  texts.length < 2
    ? (texts[0] ?? "")
    : `${texts.slice(0, -1).join(", ")} ${conjunction} ${texts[texts.length - 1] ?? ""}`

/** The texts in English. */
export const english: Texts = {
  language: "en",
  weekday,
  parseWeekday: (text) => {
    const name = text.trim().toLowerCase().replace(/\.$/, "")
    const index = weekdays.findIndex((each) => name.length >= 3 && each.toLowerCase().startsWith(name))
    return index === -1 ? undefined : index + 1
  },
  day,
  time,
  moment: (day, time) => `${day} at ${time}`,
  choice: (times) => list(times, "or"),

  noSuchDate: "I do not find that date in the calendar. Which day do you mean?",
  wrongWeekday: ({ day, month, weekday: dayOfWeek }) =>
    `${months[month - 1] ?? ""} ${ordinal(day)} is a ${weekday(dayOfWeek)}. Which day do you mean?`,
  skippedTime: (day) => `The clocks go forward ${day}, so there is no such time. Which other time do you want?`,

  timeout: "I could not check that just now. Let us try again in a moment.",
  serverError: "Something went wrong on my end, so I could not do that.",
  unknownTool: "I cannot do that.",
  invalidArguments: (field) =>
    field === ""
      ? "I did not get that right. Could you tell me again?"
      : `I did not get the ${field.replaceAll(/[._[\]]+/g, " ").trim()} right. Could you tell me again?`,
  tooManyCalls: "I cannot do that many things at once.",

  appointmentTitle: "Appointment",

  now: (day, time) => `It is ${date(day)}, ${time}.`,
  slots: (slots) =>
    slots.length === 0
      ? "There is no free time in these days. Shall I look at other days?"
      : `I have ${slots.join(", or ")}. Which one do you want?`,
  slotHeld: (when) => `I am holding ${when} for you for a few minutes.`,
  booked: (when) => `You are booked for ${when}.`,
  slotTaken: (slots) =>
    slots.length === 0
      ? "That time has just been taken, and I see no other free time near it. Shall I look at other days?"
      : `That time has just been taken. I still have ${slots.join(", or ")}. Which one do you want?`,
  tooLate: (slots) =>
    slots.length === 0
      ? "That time is too soon to be booked now, and I see no other free time near it. Shall I look at other days?"
      : `That time is too soon to be booked now. I have ${slots.join(", or ")}. Which one do you want?`,
  alreadyBooked: (when) => `I have already booked ${when}.`,
  slotExpired: "I offered that time too long ago. Let me look again.",
  tooManyHolds: "I cannot hold another time. Shall I book one of those that I hold?",
  appointments: (appointments) =>
    appointments.length === 0
      ? "I see no coming appointment for you."
      : appointments.length === 1
        ? `You have one appointment, ${list(appointments, "and")}.`
        : `You have ${appointments.length} appointments, ${list(appointments, "and")}.`,
  moved: (when) => `Your appointment is now ${when}.`,
  cancelled: (appointment) => `Your appointment ${appointment} is cancelled.`,
  appointmentNotFound: "I do not find that appointment.",
  appointmentOver: "That appointment is over or cancelled.",
  durationMismatch: (minutes) => `That appointment takes ${minutes} minutes. Let me look for a time of that length.`,
  contact: (name) => (name === null ? "I have your details, but no name." : `I have your details, ${name}.`),
  contactNotFound: "I do not have your details yet.",
  contactUpdated: "I have updated your details.",
  variablesSet: "I have noted that.",
  optedOut: "We will not call this number again.",
  callbackTitle: (phoneNumber) => `Call back ${phoneNumber}`,
  callbackRequested: (when) => `We will call you back ${when}.`,
  phoneNumberMissing: "I do not see your number. Under which number can we call you back?",
  unknownNumber: "This number is not in service.",
  lineBusy: "We cannot take your call at the moment. Please call again later.",
  notAllowed: "I cannot do that on this call.",
  calendarUnavailable: "I cannot see the calendar just now. Let us try again in a moment."
}
