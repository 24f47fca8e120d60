import { describe, expect, it } from "@effect/vitest"
import * as PlainCopy from "@frontdesk/core/values/PlainCopy"
import * as Effect from "effect/Effect"
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** Returns an object with the given fields and the prototype of another object. */
const withPrototypeOf = (other: object, fields: object): unknown =>
  Object.setPrototypeOf({ ...fields }, Reflect.getPrototypeOf(other))

describe("PlainCopy", () => {
  it("copy keeps a Redacted that Effect has made", () => {
    const secret = Redacted.make("x")
    expect(PlainCopy.copy({ secret })).toMatchObject({ success: { secret } })
  })

  it("copy replaces a Redacted that Effect did not make, and keeps a Duration and an Effect", () => {
    const secret = Redacted.make("x")
    for (const value of [withPrototypeOf(secret, {}), new Proxy(secret, {})]) {
      expect(PlainCopy.copy({ value })).toMatchObject({ success: { value: PlainCopy.foreign } })
    }
    expect(PlainCopy.copy({ value: Duration.seconds(1) })).toMatchObject({ success: { value: Duration.seconds(1) } })
    const effect = Effect.succeed(1)
    const copied = PlainCopy.copy(effect)
    expect(Result.isSuccess(copied) && copied.success === effect).toBe(true)
  })
})
