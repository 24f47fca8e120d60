/**
 * Returns the number that two decimal digits of a text show: 59 for `"12:59"` from index 3. Returns NaN when one of the
 * characters is absent or is not a digit.
 */
export const twoDigits = (text: string, index: number): number => digit(text, index) * 10 + digit(text, index + 1)

const zero = 48

const digit = (text: string, index: number): number => {
  const value = text.charCodeAt(index) - zero
  return value >= 0 && value <= 9 ? value : Number.NaN
}
