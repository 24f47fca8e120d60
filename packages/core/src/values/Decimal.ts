const form = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/**
 * Returns the one form that all decimal texts of a value share: its digits without zeros at either end, and the power of
 * ten that they are multiplied with. Undefined for what is no decimal text.
 */
const normalised = (text: string): string | undefined => {
  const match = form.exec(text)
  if (match === null) return undefined
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match
  const digits = whole + fraction
  // Loops, because a pattern would take time that grows with the square of the zeros.
  let [start, end] = [0, digits.length]
  while (digits[start] === "0") start += 1
  while (end > start && digits[end - 1] === "0") end -= 1
  if (start === end) return "0"
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + (digits.length - end)}`
}

/**
 * Whether a decimal text such as `-12.50` or `1e3` has the same value as the number it becomes: the shortest text of that
 * number names the same decimal. False where digits would be lost: `12345678901234567890`, `1e-400`.
 */
export const isExact = (text: string): boolean => {
  const value = normalised(text)
  return value !== undefined && value === normalised(String(Number(text)))
}
