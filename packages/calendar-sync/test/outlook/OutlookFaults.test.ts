import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { newEvent } from "../fake/Events.ts"
import type { Asked, Fault } from "../fake/FakeServer.ts"
import { problem } from "../fake/Graph.ts"
import { opened } from "./opened.ts"

const isCreate = ({ method, url }: Asked) => method === "POST" && url.pathname.endsWith("/events")

const answer = (status: number, code: string, headers: Record<string, string> = {}): Fault => ({
  kind: "answer",
  reply: { ...problem(status, code), headers }
})

const faults: ReadonlyArray<readonly [string, Fault, object]> = [
  [
    "429",
    answer(429, "ApplicationThrottled", { "retry-after": "9" }),
    { reason: "rate_limited", retryAfterMillis: 9_000 }
  ],
  ["403", answer(403, "ErrorAccessDenied"), { reason: "unauthorized", isRetryable: false }],
  ["400", answer(400, "ErrorInvalidRequest"), { reason: "invalid", isRetryable: false }],
  ["503", answer(503, "ServiceUnavailable"), { reason: "transport" }],
  ["504", answer(504, "GatewayTimeout"), { reason: "transport" }],
  [
    "a redirect",
    { kind: "answer", reply: { status: 307, headers: { location: "/elsewhere" } } },
    { reason: "invalid" }
  ],
  ["a connection that breaks before it is done", { kind: "dropped" }, { reason: "transport" }],
  ["a connection that breaks after it is done", { kind: "lost" }, { reason: "transport" }],
  ["half an answer", { kind: "torn" }, { reason: "transport" }],
  ["an answer that is no JSON", { kind: "garbled", body: "<html>Sorry</html>" }, { reason: "transport" }],
  ["an answer that is no event", { kind: "garbled", body: "{}" }, { reason: "invalid" }]
]

describe("faults of Outlook", () => {
  it.effect.each(faults)("%s fails with its reason, and the next try makes one event", ([, fault, error]) =>
    Effect.gen(function* () {
      const { graph, server, write } = yield* opened
      const event = newEvent()
      server.fail(fault, isCreate)
      expect(yield* Effect.flip(write(event))).toMatchObject(error)
      yield* write(event)
      expect(graph.events.size).toBe(1)
      expect(server.asked.some(({ url }) => url.pathname === "/elsewhere")).toBe(false)
    })
  )
})
