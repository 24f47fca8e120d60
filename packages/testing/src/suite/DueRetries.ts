import * as Effect from "effect/Effect"
import * as Deliveries from "./Deliveries.ts"
import * as Samples from "./Samples.ts"
import { expect } from "./Expect.ts"

/**
 * Lets 1,100 deliveries of one webhook and one of another fail. When all retries are due and the first webhook has no
 * free capacity, verifies that one claim returns the retry of the other webhook.
 */
export const claimBehindRetries = Effect.gen(function* () {
  const queue = yield* Deliveries.emptyQueue
  const account = yield* Samples.makeAccount()
  const [hanging, good] = [yield* Samples.makeWebhook(account.id), yield* Samples.makeWebhook(account.id)]
  const subjects = Array.from({ length: 1_100 }, (_, index) => `call:${index}`)
  yield* Effect.forEach(subjects, (subject) => Deliveries.add(hanging, subject), { concurrency: 10 })
  const retry = yield* Deliveries.add(good, "call:1")
  let failed = 0
  for (let claimed = yield* Deliveries.claim(0); claimed.length > 0; claimed = yield* Deliveries.claim(0)) {
    const results = claimed.map((one) => Deliveries.result(one, one.webhookId === good.id ? 3 : 2))
    failed += (yield* queue.record(results, Samples.later(0))).recorded.length
  }
  expect(failed).toBe(subjects.length + 1)
  const claimed = yield* Deliveries.claim(4, {
    limit: 50,
    perWebhook: 8,
    takenPlaces: new Map([[hanging.id, 8]])
  })
  expect(claimed.map(({ id }) => id)).toEqual([retry])
})
