import * as Effect from "effect/Effect"
import * as Engine from "../deliveries/Engine.ts"
import * as Rounds from "../Rounds.ts"
import type { NodeProcess } from "./NodeProcess.ts"
import * as FilledQueue from "./FilledQueue.ts"

/** The number of due deliveries in a round, and the number of rounds. */
export interface Size {
  readonly count: number
  readonly rounds: number
}

const endpoints = 64

/** The numbers of nodes that claim at once. The first is the baseline. */
const claimers = [1, 2, 4]

/** The limits of a claim: that of an idle node, and one that is usual under load. */
const limits = [256, 32]

/**
 * Prints how fast several nodes claim due deliveries at once. Nothing is sent. An additional first round is a warm-up and
 * does not count.
 */
export const run = async (
  services: Engine.Context,
  nodes: ReadonlyArray<NodeProcess>,
  database: Rounds.CpuClock,
  { count, rounds }: Size
): Promise<void> => {
  const runPromise = Effect.runPromiseWith(services)
  // A port without a receiver, because nothing is sent.
  const urls = Engine.idsFrom(0, endpoints).map((id) => `http://127.0.0.1:9/${id}`)
  const queue = await runPromise(FilledQueue.fill("claims", urls, count))
  for (const limit of limits) {
    const measured = await Rounds.interleave(claimers, rounds + 1, async (claimers) => {
      await runPromise(queue.refill)
      let claims = 0
      let empty = 0
      const work = async () => {
        const all = await Promise.all(nodes.slice(0, claimers).map((node) => node.claim(limit)))
        const rows = all.reduce((sum, done) => sum + done.rows, 0)
        if (rows !== count) throw new Error(`${rows} of ${count} deliveries were claimed`)
        for (const done of all) [claims, empty] = [claims + done.claims, empty + done.empty]
      }
      const { others, perSecond } = await Rounds.costed(count, work, { others: { database } })
      return { perSecond, others, claims, empty }
    })
    // `slice(1)` leaves out the warm-up round.
    const rates = measured.map(({ results }) => results.slice(1).map(({ perSecond }) => perSecond))
    console.log(
      Rounds.row(`rows claimed, ${limit} a time`, [...Rounds.titles, "claims/s", "rows each", "empty", "db µs/row"])
    )
    for (const [index, { contestant, results }] of measured.entries()) {
      const best = results.slice(1).toSorted((a, b) => b.perSecond - a.perSecond)[0]
      if (best === undefined) continue
      const micros = best.others?.["database"]
      console.log(
        Rounds.row(`${contestant} claiming`, [
          ...Rounds.cells(Rounds.summary(rates[index] ?? [], rates[0] ?? [])),
          Math.round((best.perSecond * best.claims) / count).toLocaleString("en"),
          Math.round(count / best.claims).toLocaleString("en"),
          `${best.empty}`,
          micros === undefined ? "" : micros.toFixed(1)
        ])
      )
    }
  }
}
