// Declared here because every JavaScript runtime has these two, but the types of the language's library do not.
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array<ArrayBuffer> }
declare const TextDecoder: new (
  label: "utf-8",
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean }
) => { readonly decode: (bytes: Uint8Array) => string }

const encoder = new TextEncoder()
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Returns the UTF-8 bytes of a text. A lone surrogate becomes U+FFFD. */
export const encode = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

/** Returns the text of UTF-8 bytes, or null when the bytes are not valid UTF-8. */
export const decode = (bytes: Uint8Array): string | null => {
  try {
    return strictDecoder.decode(bytes)
  } catch {
    return null
  }
}

/**
 * Returns the longest prefix of a text that has at most `maxBytes` bytes in UTF-8. It never cuts a character in two.
 */
export const prefix = (text: string, maxBytes: number): string => {
  const bytes = encode(text)
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  // A byte of the form 10xxxxxx continues a character, so the prefix must end before the character's first byte.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return decode(bytes.subarray(0, end)) ?? ""
}
