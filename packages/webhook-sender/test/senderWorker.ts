import process from "node:process"
import { setImmediate } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { insecure, send } from "./sending.ts"
import { Outcome, Task } from "./senderTask.ts"

// A process that sends requests and prints how its memory has grown.

const task = Schema.decodeUnknownSync(Task)(process.argv[2])
const started = process.memoryUsage.rss()

/**
 * The maximum memory so far. `resourceUsage().maxRSS` would not do: on Linux it begins with the memory of the process
 * that started this one.
 */
let peak = 0
const samplePeak = (): void => {
  peak = Math.max(peak, process.memoryUsage.rss() - started)
}

/** The smallest of several measurements, because memory is freed only some turns of the event loop later. */
const memoryInUse = Effect.promise(async () => {
  let smallest = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 20; turn++) {
    await setImmediate()
    globalThis.gc?.()
    const { arrayBuffers, external, heapUsed } = process.memoryUsage()
    smallest = Math.min(smallest, heapUsed + external + arrayBuffers)
  }
  return smallest
})

const sendMany = (requests: number) =>
  Effect.forEach(
    Array.from({ length: requests }),
    () =>
      Effect.map(send(task.url, { timeout: task.timeoutMillis }), (answer) => {
        samplePeak()
        return answer._tag === "Answered" ? answer.status : null
      }),
    { concurrency: 20 }
  )

const sent = Effect.gen(function* () {
  const first = yield* sendMany(Math.ceil(task.requests / 3))
  const before = yield* memoryInUse
  const others = yield* sendMany(task.requests - first.length)
  return { statuses: [...first, ...others], growth: (yield* memoryInUse) - before }
})

const { growth, statuses } = await Effect.runPromise(Effect.provide(sent, insecure))
if (task.fetch) await (await fetch(task.url)).text()
console.log(Schema.encodeSync(Outcome)({ statuses, growth, peak }))
