import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { CurrentDeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { ReminderWorker } from "@frontdesk/core/worker/ReminderWorker"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import process from "node:process"
import * as Engine from "../deliveries/Engine.ts"
import type { Claims, NodeRequest, NodeAnswer } from "./NodeProcess.ts"

const databaseUrl = process.argv[2] ?? ""
// The scope stays open until the process ends.
const scope = await Effect.runPromise(Scope.make())
const services = await Effect.runPromise(Layer.buildWithScope(Engine.layer(databaseUrl), scope))
const runPromise = Effect.runPromiseWith(services)

/** Claims all due deliveries, up to `limit` in each claim, and keeps the leases. */
const claimAll = Effect.fnUntraced(function* (limit: number) {
  const queue = yield* DeliveryQueue
  const { maxInFlightPerWebhook } = yield* CurrentDeliverySettings
  const owner = randomUUID()
  const done: { -readonly [key in keyof Claims]: Claims[key] } = { claims: 0, empty: 0, rows: 0 }
  while (true) {
    const now = yield* DateTime.now
    const claimed = yield* queue.claim({
      now,
      leaseUntil: DateTime.add(now, { hours: 1 }),
      leaseId: randomUUID(),
      owner,
      limit,
      perWebhook: maxInFlightPerWebhook,
      takenPlaces: new Map(),
      takenByAccount: new Map()
    })
    done.rows += claimed.length
    if (claimed.length > 0) {
      done.claims += 1
      continue
    }
    // Other nodes may have locked the due deliveries.
    const oldest = yield* queue.oldestDue
    if (Option.isNone(oldest) || DateTime.isGreaterThan(oldest.value, now)) return done
    done.empty += 1
  }
})

let delivering: Fiber.Fiber<never> | undefined

const answer = async (request: NodeRequest): Promise<NodeAnswer> => {
  switch (request._tag) {
    case "Cpu":
      break
    case "Deliver":
      delivering = await runPromise(Effect.flatMap(DeliveryWorker, ({ run }) => Effect.forkDetach(run)))
      break
    case "Stop":
      if (delivering !== undefined) await runPromise(Fiber.interrupt(delivering))
      break
    case "Remind":
      return { _tag: "Reminded", count: await runPromise(Effect.flatMap(ReminderWorker, ({ runOnce }) => runOnce)) }
    case "Claim":
      return { _tag: "Claimed", claims: await runPromise(claimAll(request.limit)) }
  }
  const { system, user } = process.cpuUsage()
  return { _tag: "Cpu", micros: system + user }
}

const send = (message: NodeAnswer): void => {
  process.send?.(message)
}

process.on("message", (request: NodeRequest) => void answer(request).then(send))
process.once("disconnect", () => process.exit())
send({ _tag: "Cpu", micros: 0 })
