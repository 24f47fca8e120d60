import type { GetTypeParser } from "./HostClient.ts"

const text = (value: string): unknown => value

const number = (value: string): unknown => Number(value)

const form = /^(\d{4,})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?\+00( BC)?$/

/** Returns the instant of a `timestamptz` in the settings of `HostSettings`. A time without a date is the text itself. */
const instant = (value: string): unknown => {
  const [, year, month, day, hours, minutes, seconds, fraction = "", era] = form.exec(value) ?? []
  if (year === undefined) return value
  const date = new Date(0)
  date.setUTCFullYear(era === undefined ? Number(year) : 1 - Number(year), Number(month) - 1, Number(day))
  date.setUTCHours(Number(hours), Number(minutes), Number(seconds), Number(fraction.padEnd(3, "0").slice(0, 3)))
  return date
}

const bytes = (value: string): unknown => Uint8Array.from(Buffer.from(value.slice(2), "hex"))

/** The parsers of the types that the stores read, by OID. JSON stays text, which the stores decode. */
const parsers: ReadonlyMap<number, (value: string) => unknown> = new Map([
  [16, (value: string): unknown => value === "t"], // bool
  [17, bytes], // bytea
  [20, number], // int8
  [21, number], // int2
  [23, number], // int4
  [26, number], // oid
  [700, number], // float4
  [701, number], // float8
  [1184, instant] // timestamptz
])

/**
 * Returns the parser of a type. A statement of ours brings its own parsers, so that those which the host has registered
 * with its driver are neither used nor changed.
 */
export const getTypeParser: GetTypeParser = (oid) => parsers.get(oid) ?? text

/** Returns a parameter as node-postgres takes it: bytes as a `Buffer`. */
export const toParameter = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value
