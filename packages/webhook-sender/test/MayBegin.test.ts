import { describe, expect, it } from "@effect/vitest"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Effect from "effect/Effect"
import { insecure, receiver, send, sendUntilTimeout, withResolver } from "./sending.ts"

describe("UndiciWebhookSender with mayBegin", () => {
  it.live("a request is not written when mayBegin becomes false during the name resolution (D-DEL-14)", () =>
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

  it.live("a request is not repeated after a closed idle connection when mayBegin has become false", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* receiver({ plan: Behaviour.closeReused("reset") })
      const sendOnce = Effect.suspend(() => {
        let calls = 0
        return send(url, { mayBegin: () => ++calls === 1 })
      })
      // Not every request finds an idle connection, so several are sent.
      yield* Effect.repeat(sendOnce, { while: ({ _tag }) => _tag !== "NotSent", times: 10 })
      // The last request was written only on the idle connection.
      expect(requests.at(-1)).toMatchObject({ turn: 2 })
    }).pipe(Effect.provide(insecure))
  )

  it.effect("a request that times out before the write is NotSent when mayBegin has become false", () =>
    Effect.gen(function* () {
      let isAllowed = true
      const resolving = withResolver(() =>
        Effect.suspend(() => {
          isAllowed = false
          return Effect.never
        })
      )
      const sent = (mayBegin: () => boolean) =>
        sendUntilTimeout("http://name.example/", { mayBegin }).pipe(Effect.provide(resolving))
      expect(yield* sent(() => isAllowed)).toEqual({ _tag: "NotSent" })
      expect(yield* sent(() => true)).toEqual({ _tag: "NoAnswer", reason: "timed out" })
    })
  )
})
