import * as http from "node:http"
import { CallProvider } from "@frontdesk/core/call/CallProvider"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { callProvider } from "frontdesk/Providers"

/** Starts a fake provider that answers every request with the status and counts the requests. */
const open = (status: number) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: URL; readonly count: () => number; readonly server: http.Server }>((resume) => {
      let count = 0
      const server = http.createServer((request, response) => {
        count += 1
        request.resume().on("end", () => response.writeHead(status, { location: "/again" }).end())
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ url: new URL(`http://127.0.0.1:${port}`), count: () => count, server }))
      })
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

const twilioAt = (baseUrl: URL) =>
  callProvider({
    _tag: "Twilio",
    options: {
      accountSid: `AC${"0".repeat(32)}`,
      authToken: Redacted.make("12345"),
      voiceUrl: new URL("https://voice.example/talk"),
      publicUrl: new URL("https://api.example.com"),
      baseUrl
    }
  })

const start = Effect.flatMap(CallProvider, ({ start }) =>
  start({
    ref: "call_1",
    to: PhoneNumber.make("+12025550111"),
    from: PhoneNumber.make("+12025550100"),
    assistantId: "asst_ada",
    variables: {},
    maxDurationSeconds: 600
  })
)

describe("the call provider of the server", () => {
  it.live.each([
    [421, "Refused"],
    [307, "Unknown"],
    [408, "Unknown"],
    [503, "Unknown"],
    [204, "Unknown"]
  ] as const)("requests a call once when the answer is %i", ([status, answer]) =>
    Effect.gen(function* () {
      const { count, url } = yield* open(status)
      expect((yield* Effect.provide(start, twilioAt(url)))._tag).toBe(answer)
      expect(count()).toBe(1)
    })
  )

  it.live.each(["reset", "end"] as const)(
    "requests a call once when the provider closes a reused connection without an answer (%s)",
    (how) =>
      Effect.gen(function* () {
        const receiver = yield* Effect.acquireRelease(
          Effect.promise(() => Receiver.open({ plan: Behaviour.closeReused(how) })),
          (receiver) => Effect.promise(() => receiver[Symbol.asyncDispose]())
        )
        const tags = yield* Effect.gen(function* () {
          const tags: Array<string> = []
          // The client pools a connection a moment after it has read the answer. So the first requests may use new ones.
          while (receiver.requests.every(({ turn }) => turn === 1) && tags.length < 50) tags.push((yield* start)._tag)
          return tags
        }).pipe(Effect.provide(twilioAt(new URL(receiver.url))))
        expect(receiver.requests.at(-1)?.turn).toBe(2)
        expect(tags.at(-1)).toBe("Unknown")
        expect(receiver.requests).toHaveLength(tags.length)
      })
  )
})
