import { PhoneNumber } from "../values/PhoneNumber.ts"

/**
 * The number of a person who withholds it: the digits of ANONYMOUS on a keypad, which Twilio writes in its place. It
 * is the number of no person.
 */
export const anonymous: PhoneNumber = PhoneNumber.make("+266696687")

/** Returns whether a number stands for a withheld one. */
export const isAnonymous = (number: PhoneNumber): boolean => number === anonymous
