import { describe, expect, it } from "@effect/vitest"
import * as Input from "@frontdesk/core/values/Input"
import * as PlainCopy from "@frontdesk/core/values/PlainCopy"
import { ValidationError } from "@frontdesk/core/values/ValidationError"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"

import * as Schema from "effect/Schema"

const Body = Schema.Struct({
  phoneNumber: Schema.String.check(Schema.isPattern(/^\+\d+$/)),
  tags: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(3))),
  data: Schema.optionalKey(Schema.Json),
  at: Schema.optionalKey(Schema.DateTimeUtc)
})

type Body = typeof Body.Type

class Things extends Context.Service<
  Things,
  {
    readonly put: (id: number, body: Body) => Effect.Effect<readonly [number, Body], ValidationError>
    readonly find: (name?: string) => Effect.Effect<string | undefined, ValidationError>
    readonly count: Effect.Effect<number>
  }
>()("@frontdesk/core/test/values/Input.test/Things") {}

const things = Input.service(
  Things,
  { put: [{ id: Schema.Int }, { body: Body }], find: [{ name: Schema.UndefinedOr(Schema.String) }] },
  {
    put: (id, body) => Effect.succeed([id, body]),
    find: (name) => Effect.succeed(name),
    count: Effect.succeed(1)
  }
)

/** Calls a method as plain JavaScript does, with values of any type. */
const call = (
  method: (...values: ReadonlyArray<never>) => Effect.Effect<unknown, unknown>,
  ...values: ReadonlyArray<unknown>
): Effect.Effect<unknown, unknown> => {
  const result: unknown = Reflect.apply(method, undefined, values)
  return isEffect(result) ? result : Effect.die("no Effect")
}

const isEffect = (value: unknown): value is Effect.Effect<unknown, unknown> => Effect.isEffect(value)

const fieldsOf = (effect: Effect.Effect<unknown, unknown>) =>
  Effect.map(Effect.flip(effect), (error) =>
    error instanceof ValidationError ? error.problems.map(({ field }) => field) : error
  )

const good = { phoneNumber: "+1" }

/** Returns an object with the given fields and the prototype of another object. */
const withPrototypeOf = (other: object, fields: object): unknown =>
  Object.setPrototypeOf({ ...fields }, Reflect.getPrototypeOf(other))

describe("Input.service", () => {
  it.effect("an array with too many items is one problem, and its items are not checked", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(call(things.put, "x", { phoneNumber: 1, tags: [1, 2, 3, 4] }))
      expect(error).toMatchObject({
        problems: [{ field: "id" }, { field: "tags", code: "too_many" }, { field: "phoneNumber" }]
      })
    })
  )

  it.effect("a method with valid arguments runs, and a member that is not a function is unchanged", () =>
    Effect.gen(function* () {
      expect(yield* things.put(1, good)).toEqual([1, good])
      expect(yield* things.count).toBe(1)
      expect(yield* things.find()).toBeUndefined()
      expect(yield* things.find("x")).toBe("x")
    })
  )

  it.effect.each([
    ["an invalid field of a body", [1, { phoneNumber: "555-1234" }], ["phoneNumber"]],
    ["a missing field of a body", [1, {}], ["phoneNumber"]],
    ["an invalid item of an array", [1, { ...good, tags: ["a", 1] }], ["tags[1]"]],
    ["no body", [1], ["body"]],
    ["null for a body", [1, null], ["body"]],
    ["an array for a body", [1, [good]], ["body"]],
    ["a Map for a body", [1, new Map([["phoneNumber", "+1"]])], ["body"]],
    ["a Date for an instant", [1, { ...good, at: new Date(0) }], ["at"]],
    ["NaN for an id", [Number.NaN, good], ["id"]],
    ["text for an id", ["1", good], ["id"]],
    ["a body without own fields", [1, Object.create(good)], ["phoneNumber"]],
    ["two invalid arguments", ["1", { phoneNumber: 1 }], ["id", "phoneNumber"]],
    ["a function in JSON", [1, { ...good, data: { run: () => 1 } }], ["data"]],
    ["NaN in JSON", [1, { ...good, data: [Number.NaN] }], ["data"]]
  ] as const)("a call with %s fails with ValidationError, which names the field", ([, values, fields]) =>
    Effect.gen(function* () {
      expect(yield* fieldsOf(call(things.put, ...values))).toEqual(fields)
    })
  )

  it.effect("a getter is called once, and a getter that throws fails the call with its field", () =>
    Effect.gen(function* () {
      let reads = 0
      const changing = {
        get phoneNumber() {
          reads += 1
          return reads === 1 ? "+1" : "other"
        }
      }
      expect(yield* call(things.put, 1, changing)).toEqual([1, good])
      expect(reads).toBe(1)
      const throwing = {
        ...good,
        data: {
          get secret() {
            throw new Error("the secret")
          }
        }
      }
      expect(yield* Effect.flip(call(things.put, 1, throwing))).toMatchObject({
        problems: [{ field: "data.secret", message: "This value could not be read" }]
      })
    })
  )

  it.effect("a change of an argument after the call has no effect", () =>
    Effect.gen(function* () {
      const body = { phoneNumber: "+1", data: { list: [1] } }
      const running = call(things.put, 1, body)
      body.phoneNumber = "other"
      body.data.list.push(2)
      expect(yield* running).toEqual([1, { phoneNumber: "+1", data: { list: [1] } }])
    })
  )

  it.effect("keys whose value is undefined count as absent, and unknown keys are dropped (D-VAL-4)", () =>
    Effect.gen(function* () {
      expect(yield* call(things.put, 1, { ...good, tags: undefined, other: 1 })).toEqual([1, good])
    })
  )

  it.effect("an instance of a class is accepted with its own fields", () =>
    Effect.gen(function* () {
      class Form {
        readonly phoneNumber = "+1"
      }
      expect(yield* call(things.put, 1, new Form())).toEqual([1, good])
    })
  )

  it.effect("JSON that is circular, too deep or too large fails with its field", () =>
    Effect.gen(function* () {
      const circular: Record<string, unknown> = {}
      circular["self"] = circular
      let deep: unknown = 1
      for (let level = 0; level < 100_000; level++) deep = [deep]
      let wide: ReadonlyArray<unknown> = [1]
      for (let level = 0; level < 30; level++) wide = [wide, wide]
      for (const data of [circular, deep, wide, Array.from({ length: PlainCopy.maxValues })]) {
        const [field] = [yield* fieldsOf(call(things.put, 1, { ...good, data }))].flat()
        expect(field).toMatch(/^data/)
      }
    })
  )

  it.effect("a revoked proxy fails with the name of the argument", () =>
    Effect.gen(function* () {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      expect(yield* fieldsOf(call(things.put, 1, proxy))).toEqual(["body"])
    })
  )

  it.effect("a method receives an instant of Effect unchanged", () =>
    Effect.gen(function* () {
      const at = DateTime.makeUnsafe(0)
      const [, body] = yield* things.put(1, { ...good, at })
      expect(body.at).toEqual(at)
    })
  )

  it.effect("an object that imitates a value of Effect is rejected as an instant, and copied as JSON (D-VAL-5)", () =>
    Effect.gen(function* () {
      const marks = [
        "~effect/DateTime",
        "~effect/Redacted",
        "~effect/Duration",
        "~effect/time/Duration",
        "~effect/Effect"
      ]
      for (const epochMilliseconds of [null, 1n, NaN, 0]) {
        const at = { "~effect/DateTime": "~effect/DateTime", _tag: "Utc", epochMilliseconds }
        expect(yield* fieldsOf(call(things.put, 1, { ...good, at }))).toEqual(["at"])
      }
      for (const mark of marks) {
        let reads = 0
        const data = Object.defineProperty({ [mark]: mark }, "text", {
          enumerable: true,
          get: () => (reads++ === 0 ? "short" : "x".repeat(300_000))
        })
        const sent = { ...good, data }
        const [, body] = yield* things.put(1, sent)
        expect(JSON.stringify(body.data)).toBe(JSON.stringify({ [mark]: mark, text: "short" }))
        expect([body.data === data, reads]).toEqual([false, 1])
      }
    })
  )

  it.effect(
    "an instant is copied with one read of its milliseconds, and rejected when they are not a valid number",
    () =>
      Effect.gen(function* () {
        const real = DateTime.makeUnsafe(5)
        let reads = 0
        const shifting = new Proxy(real, {
          get: (target, key): unknown => (key === "epochMilliseconds" && reads++ > 0 ? 10n : Reflect.get(target, key))
        })
        const [, body] = yield* things.put(1, { ...good, at: shifting })
        expect([body.at, body.at === real]).toEqual([real, false])
        for (const epochMilliseconds of [null, 1n, NaN, Infinity, 9e15]) {
          const at = withPrototypeOf(real, { epochMilliseconds })
          expect(yield* fieldsOf(call(things.put, 1, { ...good, at }))).toEqual(["at"])
        }
        expect(
          yield* fieldsOf(call(things.put, 1, { ...good, at: DateTime.makeZonedUnsafe(0, { timeZone: "UTC" }) }))
        ).toEqual(["at"])
      })
  )

  it.effect("a body that an adapter has decoded is not decoded again (D-VAL-3)", () =>
    Effect.gen(function* () {
      const schema = Wire.snakeCase(Body).annotate({ identifier: "Body" })
      const remember = Input.rememberer(schema)
      const sent = remember(yield* Schema.decodeUnknownEffect(schema)({ phone_number: "+1" }))
      const [, received] = yield* things.put(1, sent)
      expect(received).toBe(sent)
      // A value that another schema has decoded is decoded again.
      const other = Input.remember(Schema.Struct({ phoneNumber: Schema.String }), { phoneNumber: "555" })
      expect(yield* fieldsOf(call(things.put, 1, other))).toEqual(["phoneNumber"])
    })
  )
})
