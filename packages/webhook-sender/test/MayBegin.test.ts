import { describe, expect, it } from "@effect/vitest"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Effect from "effect/Effect"
import { insecure, receiver, send, withResolver } from "./sending.ts"

describe("a request that may not begin any more", () => {
  it.live("is not written when the permission ended while its name was resolved (D-DEL-14)", () =>
    Effect.gen(function* () {
      const hook = yield* receiver()
      let isAllowed = true
      const resolving = withResolver(() =>
        Effect.sync(() => {
          isAllowed = false
          return ["127.0.0.1"]
        })
      )
      const { port } = new URL(hook.url)
      const answer = yield* send(`http://name.example:${port}/`, { mayBegin: () => isAllowed }).pipe(
        Effect.provide(resolving)
      )
      expect(answer).toEqual({ _tag: "NotSent" })
      expect(hook.requests).toEqual([])
    })
  )

  it.live("is not written a second time when a kept connection was closed", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* receiver({ plan: Behaviour.closeReused("reset") })
      const sendOnce = Effect.suspend(() => {
        let asked = 0
        return send(url, { mayBegin: () => ++asked === 1 })
      })
      yield* Effect.repeat(sendOnce, { while: ({ _tag }) => _tag !== "NotSent", times: 10 })
      // The last one was written on a connection that had been used, and nowhere else.
      expect(requests.at(-1)).toMatchObject({ turn: 2 })
    }).pipe(Effect.provide(insecure))
  )

  it.live("is not a failure of the receiver when its deadline comes before anything was written", () =>
    Effect.gen(function* () {
      let isAllowed = true
      const resolving = withResolver(() =>
        Effect.suspend(() => {
          isAllowed = false
          return Effect.never
        })
      )
      const sent = (mayBegin: () => boolean) =>
        send("http://name.example/", { timeout: "50 millis", mayBegin }).pipe(Effect.provide(resolving))
      expect(yield* sent(() => isAllowed)).toEqual({ _tag: "NotSent" })
      expect(yield* sent(() => true)).toEqual({ _tag: "NoAnswer", reason: "timed out" })
    })
  )
})
