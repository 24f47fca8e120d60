/**
 * Reads bytes as UTF-8, and returns the text in parts of at most `maxLength` characters. No part ends within a surrogate
 * pair. It holds one part and one chunk in memory. Throws for bytes that are not UTF-8.
 */
export async function* of(chunks: AsyncIterable<Uint8Array | string>, maxLength: number): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  let text = ""
  for await (const chunk of chunks) {
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true })
    while (text.length > maxLength) {
      const end = /[\uD800-\uDBFF]/.test(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength
      yield text.slice(0, end)
      text = text.slice(end)
    }
  }
  text += decoder.decode()
  if (text !== "") yield text
}
