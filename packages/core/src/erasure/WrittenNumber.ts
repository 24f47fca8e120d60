import type { PhoneNumber } from "../values/PhoneNumber.ts"

// Every other country code has three digits (ITU-T E.164).
const countryCode = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/

// What a person writes of a telephone number, without an extension.
const dialled = /[+(]?\d[\d\s()./-]{4,}/

const withoutZeros = (digits: string): string => digits.replace(/^0+/, "")

/**
 * Returns whether a person who writes this text means the number: with its country code in any spelling, such as
 * `0049 (0)30 123456`, or without it, such as `(030) 123456`.
 */
export const isWritingOf = (number: PhoneNumber, text: string): boolean => {
  const all = number.slice(1)
  const code = countryCode.exec(all)?.[0] ?? ""
  const national = withoutZeros(all.slice(code.length))
  const written = withoutZeros(dialled.exec(text)?.[0].replace(/\D/g, "") ?? "")
  // Within Russia and its neighbours, a number is dialled with an 8 in front.
  const prefixes = ["", code, `${code}0`, ...(code === "7" ? ["8"] : [])]
  return prefixes.some((prefix) => written === `${prefix}${national}`)
}
