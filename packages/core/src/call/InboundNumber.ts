import { PhoneNumber } from "../values/PhoneNumber.ts"

/**
 * The number of a person who withholds it: the digits of ANONYMOUS on a keypad, which Twilio writes in its place. It is the
 * number of no person.
 */
export const anonymous: PhoneNumber = PhoneNumber.make("+266696687")

/** Numbers that providers write in place of a withheld one: the digits of a word on a keypad. */
const withheld: ReadonlySet<string> = new Set([
  anonymous,
  "+7378742833", // RESTRICTED
  "+2562533", // BLOCKED
  "+8566696687", // UNKNOWN, as Twilio documents it
  "+8656696", // UNKNOWN
  "+86282452253" // UNAVAILABLE
])

/** Returns whether a number stands for a withheld one. */
export const isAnonymous = (number: PhoneNumber): boolean => withheld.has(number)
