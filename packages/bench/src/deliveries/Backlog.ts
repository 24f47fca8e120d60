import * as Effect from "effect/Effect"
import process from "node:process"
import { setFlagsFromString } from "node:v8"
import { createContext, runInContext } from "node:vm"
import * as Rounds from "../Rounds.ts"
import * as Engine from "./Engine.ts"
import type { Inbox } from "./Inbox.ts"

const endpoints = 64

/** The memory in use after a full garbage collection, in megabytes. */
interface Memory {
  readonly heap: number
  readonly rss: number
}

/**
 * Makes a function that collects all garbage. Node defines `gc` only in contexts that are created after the
 * flag is set.
 */
const collector = (): (() => void) => {
  setFlagsFromString("--expose-gc")
  const context = createContext()
  return () => void runInContext("gc()", context)
}

/** Collects all garbage, and returns the memory that is still in use. */
const sample = (collect: () => void): Memory => {
  collect()
  const { heapUsed, rss } = process.memoryUsage()
  return { heap: heapUsed / 1e6, rss: rss / 1e6 }
}

/**
 * Prints how fast `count` due deliveries are sent, and the memory in use in the first and in the last third of that
 * time.
 */
export const run = async (services: Engine.Context, inbox: Inbox, count: number): Promise<void> => {
  const runPromise = Effect.runPromiseWith(services)
  const urls = Engine.idsFrom(0, endpoints).map((id) => inbox.url(`/${id}`))
  const accounts = await runPromise(Effect.forEach(urls, (url) => Engine.subscribe([url], "call.ended")))
  await runPromise(Engine.fillQueue(accounts, 1, count))

  const collect = collector()
  const memory: Array<Memory> = []
  const watching = Effect.sync(() => memory.push(sample(collect))).pipe(
    Effect.andThen(Effect.sleep("500 millis")),
    Effect.forever
  )
  const { cpuMicros, perSecond } = await Rounds.costed(count, () =>
    runPromise(Effect.raceFirst(Engine.deliveringWhile(Effect.void), watching))
  )

  const third = Math.ceil(memory.length / 3)
  const thirds = [memory.slice(0, third), memory.slice(-third)]
  console.log(Rounds.row("a backlog drains", ["a second", "CPU µs", "first third", "last third", "ratio"]))
  const rate = [Math.round(perSecond).toLocaleString("en"), cpuMicros.toFixed(1)]
  for (const kind of ["heap", "rss"] as const) {
    const [first = Number.NaN, last = Number.NaN] = thirds.map((part) =>
      Rounds.quantile(
        part.map((each) => each[kind]),
        0.5
      )
    )
    const name = `${count.toLocaleString("en")} due, ${kind === "heap" ? "heap" : "RSS"} in MB`
    console.log(Rounds.row(name, [...rate, first.toFixed(1), last.toFixed(1), (last / first).toFixed(2)]))
  }
}
