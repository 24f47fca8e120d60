// Every JavaScript runtime has these two; the standard library's types leave them to the platform.
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array<ArrayBuffer> }
declare const TextDecoder: new (
  label: "utf-8",
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean }
) => { readonly decode: (bytes: Uint8Array) => string }

const encoder = new TextEncoder()
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The UTF-8 bytes of a text. A lone surrogate becomes U+FFFD. */
export const encode = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

/** The text of UTF-8 bytes; null when they are not UTF-8. */
export const decode = (bytes: Uint8Array): string | null => {
  try {
    return strictDecoder.decode(bytes)
  } catch {
    return null
  }
}

/** The longest beginning of a text that has at most so many bytes of UTF-8. No character is cut in two. */
export const start = (text: string, maxBytes: number): string => {
  const bytes = encode(text)
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  // A byte of the form 10xxxxxx continues the character before it.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return decode(bytes.subarray(0, end)) ?? ""
}
