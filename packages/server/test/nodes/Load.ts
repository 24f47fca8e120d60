import { setTimeout as sleep } from "node:timers/promises"
import { expect } from "vitest"
import * as Nodes from "./Nodes.ts"

/** How many ask all the time. */
const clients = 6

/** Something that was asked, and what came of it. */
interface Asked {
  readonly title: string
  /** `201`, the status and the error, or `nothing`. */
  readonly said: string
  /** In milliseconds. */
  readonly took: number
}

/** Clients that book calendar events without pause. */
export interface Load {
  /** All that was asked so far. */
  readonly asked: ReadonlyArray<Asked>
  /** Waits until so many more events are booked. */
  readonly more: (count: number) => Promise<void>
  /** Tells them that it is over, and waits for the last answer. */
  readonly stop: () => Promise<void>
  /** Holds the database to what was answered: every event is there, and none twice. Answers how many there are. */
  readonly kept: (nodes: Nodes.Nodes) => Promise<number>
}

/** Books one event after the other on nodes in turn, until it is told that it is over. */
export const start = (all: ReadonlyArray<Nodes.Node>): Load => {
  const asked: Array<Asked> = []
  const over = new AbortController()
  const client = async (name: number): Promise<void> => {
    for (let index = 0; !over.signal.aborted; index += 1) {
      const title = `event ${name} ${index}`
      const at = performance.now()
      const node = all[(name + index) % all.length]
      const answer = (await node?.ask("POST", "/api/v1/calendar/events/create", Nodes.meeting(title))) ?? null
      const error = /"error":"(\w+)"/.exec(answer?.body ?? "")?.[1]
      const said = answer === null ? "nothing" : [answer.status, ...(error === undefined ? [] : [error])].join(" ")
      asked.push({ title, said, took: performance.now() - at })
      if (said !== "201") await sleep(50)
    }
  }
  const ended = Promise.all(Nodes.range(clients).map(client))
  const done = () => asked.filter(({ said }) => said === "201")
  return {
    asked,
    more: async (count) => {
      const least = done().length + count
      await Nodes.until(
        () => done().length,
        (length) => length >= least
      )
    },
    stop: async () => {
      over.abort()
      await ended
    },
    kept: async ({ database }) => {
      const rows = await database.rows("SELECT title FROM calendar_event")
      expect(rows).toEqual(expect.arrayContaining(done().map(({ title }) => ({ title }))))
      // What was not answered may have happened; nothing happened twice.
      expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length)
      return rows.length
    }
  }
}

/** What `GET /health` answers on each node, as `200,503`. */
export const healths = (all: ReadonlyArray<Nodes.Node>): Promise<string> =>
  Promise.all(all.map((node) => node.ask("GET", "/health"))).then((answers) =>
    answers.map((answer) => answer?.status).join()
  )
