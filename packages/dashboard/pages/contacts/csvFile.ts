import type { ContactImport, CreateContactImport } from "@frontdesk/client"
import { api } from "../app/api.ts"

/** The maximum number of characters of a part, and of parts, as the API has them. */
const [maxPartLength, maxParts] = [262_144, 128]

/** The maximum number of bytes of a part as JSON. A body has at most 1 MiB with what is around the text. */
const maxPartBytes = 1_000_000

/** The separators of cells that an import can read. */
export const separators = [",", ";", "\t", "|"] as const

export type Separator = (typeof separators)[number]

/** Says what is wrong with a file, as a sentence for the person who has chosen it. */
export class FileProblem extends Error {}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Returns how much of a text the next part has: as much as the API takes, without half a character at its end. */
const lengthOfPart = (text: string): number => {
  let length = Math.min(text.length, maxPartLength)
  // Text with many quotes or control characters is longer as JSON.
  while (length > 1 && bytesOf(JSON.stringify(text.slice(0, length))) > maxPartBytes) length = Math.floor(length / 2)
  return /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) && length > 1 ? length - 1 : length
}

/** Returns a text of a file piece by piece. A character that two pieces share is not torn apart. */
async function* textOf(file: Blob): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const reader = file.stream().getReader()
  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
    } catch {
      throw new FileProblem("The file is not text in UTF-8. Save it as “CSV UTF-8” and choose it again.")
    }
  }
  const read = async () => {
    try {
      return await reader.read()
    } catch {
      throw new FileProblem("The file cannot be read. It may have been changed or moved. Choose it again.")
    }
  }
  // Each piece comes after the one before it, so they cannot be read at once.
  for (let piece = await read(); !piece.done; piece = await read()) yield decode(piece.value)
  yield decode()
}

/** Returns the parts of a file that the API takes, one after the other. Only one of them is in memory. */
async function* partsOf(file: Blob): AsyncGenerator<string, void, undefined> {
  let text = ""
  for await (const piece of textOf(file)) {
    text += piece
    while (text.length > maxPartLength) {
      const length = lengthOfPart(text)
      yield text.slice(0, length)
      text = text.slice(length)
    }
  }
  while (text !== "") {
    const length = lengthOfPart(text)
    yield text.slice(0, length)
    text = text.slice(length)
  }
}

/** How much of a file was sent. */
export interface Sent {
  readonly parts: number
  readonly bytes: number
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

/**
 * Creates an import, sends the file to it and starts it. When this fails, or the signal stops it, the import is cancelled, because
 * an account may have only a few that are not finished.
 */
export const sendFile = async (
  file: Blob,
  settings: CreateContactImport,
  onSent: (sent: Sent) => void,
  signal: AbortSignal
): Promise<ContactImport> => {
  const { id } = await api.contactImports.create(settings, { signal })
  addEventListener("beforeunload", warn)
  try {
    let [number, bytes] = [0, 0]
    for await (const csv of partsOf(file)) {
      number += 1
      if (number > maxParts) throw new FileProblem("The file is too large. Divide it into files of at most 30 MB.")
      await api.contactImports.addPart(id, { number, csv }, { signal })
      bytes += bytesOf(csv)
      onSent({ parts: number, bytes })
    }
    if (number === 0) throw new FileProblem("The file is empty.")
    return await api.contactImports.start(id, { signal })
  } catch (error) {
    // The failure that is shown is the one that came first.
    await api.contactImports.cancel(id).catch(() => undefined)
    throw error
  } finally {
    removeEventListener("beforeunload", warn)
  }
}

/** Returns the cells of the first line of a CSV text. */
export const headerOf = (text: string, separator: string): ReadonlyArray<string> => {
  const cells: Array<string> = []
  let [cell, isQuoted] = ["", false]
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text.charAt(at + 1) === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (character === '"' && cell === "") isQuoted = true
    else if (character === separator) {
      cells.push(cell)
      cell = ""
    } else if (character === "\n" || character === "\r") break
    else cell += character
  }
  return [...cells, cell]
}

/** Returns the beginning of a file, which has its first line, and the separator that gives this line the most cells. */
export const beginningOf = async (file: Blob): Promise<{ readonly text: string; readonly separator: Separator }> => {
  let text = ""
  for await (const piece of textOf(file)) {
    text += piece
    if (text.length >= 65_536) break
  }
  const cells = (separator: Separator) => headerOf(text, separator).length
  return { text, separator: separators.reduce((best, one) => (cells(one) > cells(best) ? one : best)) }
}
