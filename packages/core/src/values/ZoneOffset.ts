import { dayMillis } from "./GregorianCalendar.ts"

/** A span of instants `[start, end)` in which a zone has one offset. All three are in milliseconds. */
export interface OffsetSpan {
  readonly start: number
  readonly end: number
  /** Local time minus UTC. */
  readonly offset: number
}

/** The cache of one zone. */
interface Zone {
  /** The name that the runtime gives to the zone. */
  readonly resolved: string
  readonly format: Intl.DateTimeFormat
  /** The spans of each chunk of time, in order. The key is the number of the chunk, counted in `chunkMillis`. */
  readonly chunks: Map<number, ReadonlyArray<OffsetSpan>>
}

// A query to Intl takes a microsecond or two, so the offsets of a chunk of days are queried once, day by day, and
// cached. This would miss two changes of a zone that cancel each other within a day. The closest known are a week apart
// (Brazil in October 2000).
const chunkMillis = 64 * dayMillis

const maxNames = 2_048
const maxChunksPerZone = 512

const zones = new Map<string, Zone>()

/** Returns the cache of a zone, or undefined when the runtime does not know the name. */
const lookUp = (name: string): Zone | undefined => {
  const known = zones.get(name)
  if (known !== undefined) return known
  // A format of Intl is large, so all spellings of a name in upper and lower case share one.
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

/**
 * Returns the name that the runtime gives to a zone, which may be another name of the same zone. Returns undefined when
 * the runtime does not know the name.
 */
export const resolvedName = (name: string): string | undefined => lookUp(name)?.resolved

/**
 * Returns a span of one offset that contains an instant.
 *
 * A span is at most 64 days long, so neighbouring spans may have the same offset. Throws a RangeError when the runtime
 * does not know the zone, which cannot happen for a decoded `TimeZone`.
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
  // A change exactly at the end of the chunk belongs to the next chunk.
  if (start < from + chunkMillis) spans.push({ start, end: from + chunkMillis, offset })
  return spans
}

/**
 * Returns the first instant after `from` whose offset is not `offset`, to the second. `from` must have that offset, and
 * `to` must have another.
 */
const firstChange = (format: Intl.DateTimeFormat, from: number, to: number, offset: number): number => {
  let [same, other] = [from / 1_000, to / 1_000]
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2)
    if (ask(format, middle * 1_000) === offset) same = middle
    else other = middle
  }
  return other * 1_000
}

/**
 * Returns the offset of a zone at an instant, parsed from the text of Intl: `1/1/1970, GMT-05:00`. The text ends with
 * `GMT` alone when the offset is 0, and it has seconds where a zone used local mean time.
 */
const ask = (format: Intl.DateTimeFormat, instant: number): number => {
  const match = /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(format.format(instant))
  if (match === null) return 0
  const seconds = Number(match[2]) * 3_600 + Number(match[3]) * 60 + Number(match[4] ?? 0)
  return (match[1] === "-" ? -seconds : seconds) * 1_000
}
