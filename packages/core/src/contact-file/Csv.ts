/** One record of a CSV text: the texts of its cells. */
export interface CsvRecord {
  readonly cells: ReadonlyArray<string>
  /** Whether a quoted cell has text behind its closing quote, or no closing quote. */
  readonly isMalformed: boolean
}

/** How to read a CSV text. */
export interface ReadOptions {
  readonly separator: string
  /** Whether no text follows. Without it, a record at the end of the text may be incomplete, and is not read. */
  readonly isLast: boolean
  readonly maxRecords: number
}

/**
 * Reads records from an index on, at most `maxRecords` (RFC 4180). Returns them with the index behind the last one. A caller
 * continues from that index, with more text behind it or in another process (D-IMP-2).
 *
 * A record ends with CRLF, LF or CR. A quoted cell may contain separators and line ends, and two quotes for one. A quote
 * inside a cell without quotes stands for itself.
 */
export const read = (
  text: string,
  from: number,
  { isLast, maxRecords, separator }: ReadOptions
): { readonly records: ReadonlyArray<CsvRecord>; readonly offset: number } => {
  const records: Array<CsvRecord> = []
  let offset = from
  while (records.length < maxRecords && offset < text.length) {
    const found = recordAt(text, offset, separator, isLast)
    if (found === undefined) break
    records.push(found.record)
    offset = found.end
  }
  return { records, offset }
}

/** Returns the record at an index, and the index behind it. Returns undefined when more text could change the record. */
const recordAt = (text: string, start: number, separator: string, isLast: boolean) => {
  const cells: Array<string> = []
  let isMalformed = false
  let at = start
  while (true) {
    const quoted = text[at] === '"' ? quotedAt(text, at + 1, isLast) : { value: "", end: at, isClosed: true }
    if (quoted === undefined) return undefined
    const end = endOfCell(text, quoted.end, separator)
    // A carriage return at the end may be the first half of a line end.
    if (!isLast && (end === text.length || (text[end] === "\r" && end + 1 === text.length))) return undefined
    if (text[at] === '"' && (end > quoted.end || !quoted.isClosed)) isMalformed = true
    cells.push(quoted.value + text.slice(quoted.end, end))
    if (text[end] !== separator) {
      return {
        record: { cells, isMalformed },
        end: Math.min(text.length, end + (text.startsWith("\r\n", end) ? 2 : 1))
      }
    }
    at = end + 1
  }
}

/** Returns the value of a quoted cell from behind its opening quote, and the index behind its closing quote. */
const quotedAt = (text: string, start: number, isLast: boolean) => {
  let value = ""
  let at = start
  while (true) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return isLast ? { value: value + text.slice(at), end: text.length, isClosed: false } : undefined
    value += text.slice(at, quote)
    at = quote + 1
    // A quote at the end may be the first one of a pair.
    if (at === text.length && !isLast) return undefined
    if (text[at] !== '"') return { value, end: at, isClosed: true }
    value += '"'
    at += 1
  }
}

const endOfCell = (text: string, start: number, separator: string): number => {
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === separator || character === "\n" || character === "\r") return at
  }
  return text.length
}

/** Returns one record with CRLF behind it (RFC 4180). Null is an empty cell. The separator is a comma. */
export const write = (cells: ReadonlyArray<string | null>): string =>
  `${cells.map((cell) => (cell === null ? "" : quote(escape(cell)))).join(",")}\r\n`

const quote = (cell: string): string => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** The beginnings of a cell that a spreadsheet takes for a formula, and those that {@link escape} itself makes. */
const risky = /^(?:$|['=+\-@\t\r\n＝＋－＠])/

/**
 * Returns the cell with an apostrophe before it when a spreadsheet would take it for a formula, as OWASP recommends
 * (D-IMP-4). An empty text gets one too, because an empty cell stands for no text.
 */
export const escape = (cell: string): string => (risky.test(cell) ? `'${cell}` : cell)

/** Returns the cell without the apostrophe that {@link escape} adds. Any other cell stays as it is. */
export const unescape = (cell: string): string =>
  cell.startsWith("'") && risky.test(cell.slice(1)) ? cell.slice(1) : cell
