import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"

/** Functions that return values of wrong types and forms. Each call makes a new value. */
export const wrongs: ReadonlyArray<() => unknown> = [
  ...[undefined, null, Number.NaN, Infinity, -1, 0, 1.5, 2 ** 53, 1e300, true, 10n, "", " ", "1"].map(
    (value) => () => value
  ),
  ...["555-1234", "party", "\0", "\ud800", "2026-02-30", "x".repeat(20_000)].map((value) => () => value),
  () => [],
  () => ({}),
  () => [null, ["x"]],
  () => ({ id: "x" }),
  () => new Date(0),
  () => new Map([["id", 1]]),
  () => Symbol("x"),
  () => () => 1,
  (): unknown => Object.create({ id: 1, title: "inherited" }),
  () => DateTime.makeUnsafe(8.64e15),
  () => Redacted.make(1),
  (): unknown => JSON.parse('{"__proto__": {"id": 1}, "constructor": 1}'),
  () => {
    const circle: Record<string, unknown> = {}
    circle["again"] = circle
    return circle
  },
  () => ({
    get id() {
      throw new Error("a getter")
    }
  }),
  () => new Proxy({}, { ownKeys: () => ["a", "a"], get: () => 1 })
]

/** The position of a value in the arguments of a method. */
export type Path = ReadonlyArray<string | number>

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Returns the paths of all values inside a value. */
export const pathsOf = (value: unknown, path: Path = []): ReadonlyArray<Path> => {
  const inner = Array.isArray(value)
    ? value.flatMap((entry, index) => pathsOf(entry, [...path, index]))
    : isPlain(value)
      ? Object.entries(value).flatMap(([key, entry]) => pathsOf(entry, [...path, key]))
      : []
  return path.length === 0 ? inner : [path, ...inner]
}

/** Returns a copy of a value with another value at the path. */
export const replaced = (value: unknown, [key, ...rest]: Path, by: unknown): unknown => {
  if (key === undefined) return by
  if (Array.isArray(value))
    return value.map((entry: unknown, index): unknown => (index === key ? replaced(entry, rest, by) : entry))
  return isPlain(value) ? { ...value, [key]: replaced(value[key], rest, by) } : value
}
