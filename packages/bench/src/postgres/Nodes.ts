import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Engine from "../deliveries/Engine.ts"
import type { Inbox } from "../deliveries/Inbox.ts"
import * as Rounds from "../Rounds.ts"
import type { NodeProcess } from "./NodeProcess.ts"
import * as FilledQueue from "./FilledQueue.ts"

/** The number of deliveries in a round, and the number of rounds. */
export interface Size {
  readonly count: number
  readonly rounds: number
}

const endpoints = 64

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

/** Waits until no delivery is due. */
const drained = Effect.flatMap(DeliveryQueue, ({ oldestDue }) =>
  Effect.repeat(Effect.andThen(Effect.sleep("10 millis"), oldestDue), { until: Option.isNone })
)

interface Contestant {
  readonly name: string
  readonly nodes: ReadonlyArray<NodeProcess>
}

/**
 * Prints how many deliveries a second two nodes send, compared with one. With receivers that answer at once, the cores
 * of the machine are the limit. With receivers that need a quarter of a second, the maximum number of deliveries in
 * flight is the limit. An additional first round is a warm-up and does not count.
 */
export const run = async (
  services: Engine.Context,
  inbox: Inbox,
  nodes: ReadonlyArray<NodeProcess>,
  database: Rounds.CpuClock,
  { count, rounds }: Size
): Promise<void> => {
  const runPromise = Effect.runPromiseWith(services)
  const contestants: ReadonlyArray<Contestant> = [
    { name: "one node", nodes: nodes.slice(0, 1) },
    { name: "two nodes", nodes: nodes.slice(0, 2) }
  ]
  const compare = async (name: string, path: string, title: string, count: number) => {
    const urls = Engine.idsFrom(0, endpoints).map((id) => inbox.url(`${path}/${id}`))
    const queue = await runPromise(FilledQueue.fill(name, urls, count))
    const measured = await Rounds.interleave(contestants, rounds + 1, async ({ nodes }) => {
      await runPromise(queue.refill)
      const deliver = async () => {
        await Promise.all(nodes.map((node) => node.deliver()))
        await runPromise(drained)
      }
      const all: Rounds.CpuClock = async () => sum(await Promise.all(nodes.map((node) => node.cpuMicros())))
      const result = await Rounds.costed(count, deliver, { cpu: all, others: { database, receiver: inbox.cpuMicros } })
      await Promise.all(nodes.map((node) => node.pause()))
      return result
    })
    // `slice(1)` leaves out the warm-up round.
    const counted = measured.map(({ contestant, results }) => ({ name: contestant.name, results: results.slice(1) }))
    console.log(Rounds.table(title, counted))
    return counted.map(({ results }) => results)
  }
  const [one = [], two = []] = await compare("fast", "/fast", "answered at once", count)
  explain(one, two)
  await compare("slow", "/slow", "answered after 250 ms", count / 2)
}

/** Prints how fast two nodes on machines of their own could be, from the CPU time of each part. */
const explain = (one: ReadonlyArray<Rounds.Costed>, two: ReadonlyArray<Rounds.Costed>): void => {
  const ofOne = Rounds.leastCpu(one)
  const ofTwo = Rounds.leastCpu(two)
  const ofDatabase = Rounds.leastCpu(two, "database")
  const perSecond = (micros: number) => Math.round(1e6 / micros).toLocaleString("en")
  console.log(
    `A node with a core of its own sends ${perSecond(ofOne)} deliveries a second. Two nodes, each with a core of its own, ` +
      `send ${((2 * ofOne) / ofTwo).toFixed(2)} times as many.`
  )
  if (!Number.isNaN(ofDatabase)) {
    console.log(
      `A database with a core of its own is fast enough for ${perSecond(ofDatabase)} deliveries a second. These need ` +
        `${(ofTwo / ofDatabase).toFixed(1)} cores for the nodes.`
    )
  }
}
