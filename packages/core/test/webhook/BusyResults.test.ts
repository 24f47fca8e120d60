import { describe, expect, it } from "@effect/vitest"
import * as BusyResults from "@frontdesk/core/webhook/BusyResults"
import type { DeliveryResult } from "@frontdesk/core/webhook/Delivery"
import { WebhookId } from "@frontdesk/core/webhook/Webhook"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"

describe("BusyResults", () => {
  it.effect("of too many the first are given up, but one of each webhook stays", () =>
    Effect.gen(function* () {
      const busy = BusyResults.make(3)
      const now = yield* DateTime.now
      const sort = (results: ReadonlyArray<DeliveryResult>) => busy.sort(results, () => true, now)
      const [a, b] = [result(1, 1), result(2, 1)]
      expect(yield* sort([a, b, result(3, 2)])).toEqual([])
      expect(yield* sort([result(4, 3), result(5, 4)])).toEqual([a])
      expect(busy.all().map(({ key }) => key)).toEqual([2, 3, 4, 5])
      expect(yield* sort([result(6, 1)])).toEqual([b])
      expect(yield* busy.sort(busy.all(), ({ key }) => key < 5, now)).toMatchObject([{ key: 5 }, { key: 6 }])
      expect(busy.size()).toBe(2)
    })
  )
})

const result = (key: number, webhook: number): DeliveryResult => ({
  key,
  leaseId: "lease",
  webhookId: WebhookId.make(webhook),
  url: "https://a.example",
  kind: "automatic",
  attempt: { startedAt: DateTime.makeUnsafe(0), durationMs: 1, statusCode: 204, error: null },
  responseBody: "",
  next: { state: "delivered" },
  webhookStatus: "active"
})
