import { describe } from "vitest"
import type { Fault } from "../fake/FakeServer.ts"
import { type FaultCase, faultsOfAll, testFaults } from "../fake/Faults.ts"
import { problem } from "../fake/Graph.ts"
import { openCalendar } from "./openCalendar.ts"

const answer = (status: number, code: string, headers: Record<string, string> = {}): Fault => ({
  kind: "answer",
  reply: { ...problem(status, code), headers }
})

const faults: ReadonlyArray<FaultCase> = [
  [
    "429",
    answer(429, "ApplicationThrottled", { "retry-after": "9" }),
    { reason: "rate_limited", retryAfterMillis: 9_000 }
  ],
  ["403", answer(403, "ErrorAccessDenied"), { reason: "unauthorized", isRetryable: false }],
  ["400", answer(400, "ErrorInvalidRequest"), { reason: "invalid", isRetryable: false }],
  ["503", answer(503, "ServiceUnavailable"), { reason: "transport" }],
  ["504", answer(504, "GatewayTimeout"), { reason: "transport" }],
  ...faultsOfAll(307)
]

describe("faults of Outlook", () => {
  testFaults(openCalendar, ({ graph }) => graph.events.size, faults)
})
