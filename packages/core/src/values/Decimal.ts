const form = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/**
 * Returns the form that all decimal texts of one value share: its digits without zeros at either end, and a power of
 * ten. Both `-12.50` and `-125e-1` become `-125e-1`. Returns undefined for a text that is not a decimal number.
 */
const normalised = (text: string): string | undefined => {
  const match = form.exec(text)
  if (match === null) return undefined
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match
  const digits = whole + fraction
  // Loops, because the time of a regular expression would grow with the square of the number of zeros.
  let [start, end] = [0, digits.length]
  while (digits[start] === "0") start += 1
  while (end > start && digits[end - 1] === "0") end -= 1
  if (start === end) return "0"
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + (digits.length - end)}`
}

/**
 * Returns whether a decimal text such as `-12.50` or `1e3` keeps its value when it becomes a JavaScript number. It
 * compares the text with the text of the number. False where digits are lost, as in `12345678901234567890` or `1e-400`.
 */
export const isExact = (text: string): boolean => {
  const value = normalised(text)
  return value !== undefined && value === normalised(String(Number(text)))
}
