import { dayMillis } from "./CalendarDate.ts"

/** A stretch of instants `[start, end)` in which a zone keeps one offset; all three in milliseconds. */
export interface OffsetSpan {
  readonly start: number
  readonly end: number
  /** Local time minus UTC. */
  readonly offset: number
}

/** What is remembered of a zone. */
interface Zone {
  /** The runtime's own name of the zone. */
  readonly resolved: string
  readonly format: Intl.DateTimeFormat
  /** Spans by number of the chunk of `chunkMillis` they lie in, in order of time. */
  readonly chunks: Map<number, ReadonlyArray<OffsetSpan>>
}

// Asking Intl costs a microsecond or two, so a chunk of days is asked once, day by day, and kept. Two changes that
// undo each other within a day would not be seen: the closest on record are a week apart (Brazil in October 2000).
const chunkMillis = 64 * dayMillis

const maxNames = 2_048
const maxChunksPerZone = 512

const zones = new Map<string, Zone>()

/** The rules of a zone as this runtime knows them; undefined when it does not know the name. */
const lookUp = (name: string): Zone | undefined => {
  const known = zones.get(name)
  if (known !== undefined) return known
  // What Intl makes is large, so all spellings of a name in capitals and small letters share it.
  const plain = name.toLowerCase()
  const zone = zones.get(plain) ?? make(name)
  if (zone === undefined) return undefined
  if (zones.size >= maxNames) zones.clear()
  zones.set(name, zone).set(plain, zone)
  return zone
}

const make = (name: string): Zone | undefined => {
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" })
    return { resolved: format.resolvedOptions().timeZone, format, chunks: new Map() }
  } catch {
    return undefined
  }
}

/** The runtime's own spelling of a zone's name, perhaps of another name of the same zone; undefined when unknown. */
export const resolvedName = (name: string): string | undefined => lookUp(name)?.resolved

/**
 * The stretch of one offset around an instant.
 *
 * Long stretches are cut, so neighbours may have the same offset; none is longer than 64 days. Throws a RangeError
 * when the runtime does not know the zone, which a decoded `TimeZone` excludes.
 */
export const spanAt = (instant: number, name: string): OffsetSpan => {
  const zone = lookUp(name)
  if (zone === undefined) throw new RangeError(`unknown time zone: ${name}`)
  const chunk = Math.floor(instant / chunkMillis)
  let spans = zone.chunks.get(chunk)
  if (spans === undefined) {
    if (zone.chunks.size >= maxChunksPerZone) zone.chunks.clear()
    spans = findSpans(zone.format, chunk * chunkMillis)
    zone.chunks.set(chunk, spans)
  }
  for (const span of spans) {
    if (instant < span.end) return span
  }
  throw new RangeError(`not an instant: ${instant}`)
}

const findSpans = (format: Intl.DateTimeFormat, from: number): ReadonlyArray<OffsetSpan> => {
  const spans: Array<OffsetSpan> = []
  let start = from
  let offset = ask(format, from)
  for (let day = from + dayMillis; day <= from + chunkMillis; day += dayMillis) {
    const atDay = ask(format, day)
    while (offset !== atDay) {
      const change = firstChange(format, Math.max(start, day - dayMillis), day, offset)
      spans.push({ start, end: change, offset })
      start = change
      offset = ask(format, change)
    }
  }
  // A change exactly at the end of the chunk belongs to the next one.
  if (start < from + chunkMillis) spans.push({ start, end: from + chunkMillis, offset })
  return spans
}

/** The first instant after `from` with another offset than `offset`, to the second; `to` has another one. */
const firstChange = (format: Intl.DateTimeFormat, from: number, to: number, offset: number): number => {
  let [same, other] = [from / 1_000, to / 1_000]
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2)
    if (ask(format, middle * 1_000) === offset) same = middle
    else other = middle
  }
  return other * 1_000
}

/** The offset Intl writes: `1/1/1970, GMT-05:00`, `GMT` alone for none, with seconds for local mean time. */
const ask = (format: Intl.DateTimeFormat, instant: number): number => {
  const match = /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(format.format(instant))
  if (match === null) return 0
  const seconds = Number(match[2]) * 3_600 + Number(match[3]) * 60 + Number(match[4] ?? 0)
  return (match[1] === "-" ? -seconds : seconds) * 1_000
}
