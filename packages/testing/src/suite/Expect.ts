import * as assert from "node:assert/strict"
import { inspect, isDeepStrictEqual } from "node:util"
import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"

/** Assertions about a value. A value that does not satisfy one makes it throw an error that shows the difference. */
export interface Assertions {
  /** The values are the same by `Object.is`. */
  readonly toBe: (expected: unknown) => void
  /**
   * The values have equal contents. Prototypes do not count, and a property that is undefined counts as absent. Options,
   * results and redacted values are compared by what they contain.
   */
  readonly toEqual: (expected: unknown) => void
  /** The properties that the expected value has are equal, at every depth. Arrays must have the same length. */
  readonly toMatchObject: (expected: object) => void
  /** The text or array has the length. */
  readonly toHaveLength: (length: number) => void
  /** The text contains the expected text, or the array contains the same value. */
  readonly toContain: (expected: unknown) => void
  /** The array contains a value with equal contents. */
  readonly toContainEqual: (expected: unknown) => void
  readonly toMatch: (pattern: RegExp) => void
  readonly toBeNull: () => void
  readonly toBeGreaterThan: (bound: number | bigint) => void
  readonly toBeGreaterThanOrEqual: (bound: number | bigint) => void
  readonly toBeLessThan: (bound: number | bigint) => void
  readonly toBeLessThanOrEqual: (bound: number | bigint) => void
  readonly not: {
    readonly toBe: (expected: unknown) => void
    readonly toEqual: (expected: unknown) => void
    readonly toContain: (expected: unknown) => void
  }
}

/**
 * Returns assertions about a value. They have the names and rules of Vitest's and Jest's, and are written on
 * `node:assert`, so that they work under every runner.
 */
export const expect = (actual: unknown): Assertions => {
  const is = (claim: string, holds: (actual: unknown, expected: unknown) => boolean) =>
    assertion((expected: unknown) => {
      if (!holds(actual, expected)) assert.fail(`expected ${inspect(actual)} ${claim} ${inspect(expected)}`)
    })
  return {
    toBe: assertion((expected) => assert.strictEqual(actual, expected)),
    toEqual: assertion((expected) => assert.deepStrictEqual(plain(actual), plain(expected))),
    toMatchObject: assertion((expected) => {
      const wanted = plain(expected)
      assert.deepStrictEqual(partOf(actual, wanted), wanted)
    }),
    toHaveLength: is("to have the length", (value, length) => hasLength(value) && value.length === length),
    toContain: is("to contain", contains),
    toContainEqual: is("to contain an equal of", (list, item) => {
      const wanted = plain(item)
      return Array.isArray(list) && list.some((each) => isDeepStrictEqual(plain(each), wanted))
    }),
    toMatch: is(
      "to match",
      (text, pattern) => typeof text === "string" && pattern instanceof RegExp && pattern.test(text)
    ),
    toBeNull: assertion(() => assert.strictEqual(actual, null)),
    toBeGreaterThan: is("to be greater than", (value, bound) => isNumber(value) && isNumber(bound) && value > bound),
    toBeGreaterThanOrEqual: is(
      "to be at least",
      (value, bound) => isNumber(value) && isNumber(bound) && value >= bound
    ),
    toBeLessThan: is("to be less than", (value, bound) => isNumber(value) && isNumber(bound) && value < bound),
    toBeLessThanOrEqual: is("to be at most", (value, bound) => isNumber(value) && isNumber(bound) && value <= bound),
    not: {
      toBe: assertion((expected) => assert.notStrictEqual(actual, expected)),
      toEqual: assertion((expected) => assert.notDeepStrictEqual(plain(actual), plain(expected))),
      toContain: is("not to contain", (list, item) => !contains(list, item))
    }
  }
}

/** Fails the test, at a place that a correct adapter never reaches. */
export const fail = (message: string): never => assert.fail(message)

/** Returns an assertion whose errors have the stack of its caller, which is the line that a reader wants to see. */
const assertion = (check: (expected: unknown) => void) => {
  const checked = (expected?: unknown): void => {
    try {
      check(expected)
    } catch (error) {
      if (error instanceof Error) Error.captureStackTrace(error, checked)
      throw error
    }
  }
  return checked
}

const isNumber = (value: unknown): value is number | bigint => typeof value === "number" || typeof value === "bigint"

const hasLength = (value: unknown): value is string | ReadonlyArray<unknown> =>
  typeof value === "string" || Array.isArray(value)

const contains = (list: unknown, item: unknown): boolean => {
  if (typeof list === "string") return typeof item === "string" && list.includes(item)
  return Array.isArray(list) && list.includes(item)
}

/** Returns the contents of a value as plain objects, arrays, maps, sets and dates, which `node:assert` can compare. */
const plain = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || value instanceof Date) return value
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Uint8Array) return Uint8Array.from(value)
  if (value instanceof Map) return new Map(Array.from(value, ([key, item]) => [plain(key), plain(item)]))
  if (value instanceof Set) return new Set(Array.from(value, plain))
  if (Redacted.isRedacted(value)) return { redacted: plain(Redacted.value(value)) }
  if (DateTime.isDateTime(value) && DateTime.isUtc(value)) return new Date(DateTime.toEpochMillis(value))
  const keys = [...inheritedKeys.filter((key) => key in value), ...Object.keys(value)]
  return contentsOf(value, keys, plain)
}

/** Contents of an Option, a Result or an error that are not among its own enumerable properties. */
const inheritedKeys = ["_tag", "name", "message"]

/** Returns the part of a value that a plain expected value mentions, also properties that the value inherits. */
const partOf = (actual: unknown, wanted: unknown): unknown => {
  if (Array.isArray(actual) && Array.isArray(wanted)) return actual.map((item, index) => partOf(item, wanted[index]))
  if (typeof actual !== "object" || actual === null || Redacted.isRedacted(actual) || !isPlainObject(wanted)) {
    return plain(actual)
  }
  return contentsOf(actual, Object.keys(wanted), (item, key) => partOf(item, wanted[key]))
}

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

const contentsOf = (value: object, keys: ReadonlyArray<string>, map: (item: unknown, key: string) => unknown) =>
  Object.fromEntries(
    keys.flatMap((key) => {
      const item: unknown = Reflect.get(value, key)
      return item === undefined ? [] : [[key, map(item, key)]]
    })
  )
