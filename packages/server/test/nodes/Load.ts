import { setTimeout as sleep } from "node:timers/promises"
import { expect } from "vitest"
import * as Nodes from "./Nodes.ts"

/** The number of clients that send requests without pause. */
const clients = 6

/** A request that a client has sent, with its result. */
interface SentRequest {
  readonly title: string
  /** `201`, the status and the error code, or `nothing` if there was no answer. */
  readonly result: string
  /** The time until the answer, in milliseconds. */
  readonly took: number
}

/** Clients that book calendar events without pause. */
export interface Load {
  /** All requests so far. */
  readonly sent: ReadonlyArray<SentRequest>
  /** Waits until `count` more events are booked. */
  readonly more: (count: number) => Promise<void>
  /** Stops the clients and waits for their last answers. */
  readonly stop: () => Promise<void>
  /** Checks that the database has every event that was answered with 201, and no event twice. Returns their number. */
  readonly expectStored: (nodes: Nodes.Nodes) => Promise<number>
}

/** Starts clients that book one event after the other, each on another node, until they are stopped. */
export const start = (all: ReadonlyArray<Nodes.Node>): Load => {
  const sent: Array<SentRequest> = []
  const over = new AbortController()
  const client = async (name: number): Promise<void> => {
    for (let index = 0; !over.signal.aborted; index += 1) {
      const title = `event ${name} ${index}`
      const at = performance.now()
      const node = all[(name + index) % all.length]
      const answer = (await node?.ask("POST", "/api/v1/calendar/events/create", Nodes.meeting(title))) ?? null
      const error = /"error":"(\w+)"/.exec(answer?.body ?? "")?.[1]
      const result = answer === null ? "nothing" : [answer.status, ...(error === undefined ? [] : [error])].join(" ")
      sent.push({ title, result, took: performance.now() - at })
      if (result !== "201") await sleep(50)
    }
  }
  const ended = Promise.all(Nodes.range(clients).map(client))
  const done = () => sent.filter(({ result }) => result === "201")
  return {
    sent,
    more: async (count) => {
      const minimum = done().length + count
      await Nodes.until(
        () => done().length,
        (length) => length >= minimum
      )
    },
    stop: async () => {
      over.abort()
      await ended
    },
    expectStored: async ({ database }) => {
      const rows = await database.rows("SELECT title FROM calendar_event")
      expect(rows).toEqual(expect.arrayContaining(done().map(({ title }) => ({ title }))))
      // A request without an answer may have been executed, but no request may be executed twice.
      expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length)
      return rows.length
    }
  }
}

/** Returns the status of `GET /health` on each node, for example `200,503`. */
export const healths = (all: ReadonlyArray<Nodes.Node>): Promise<string> =>
  Promise.all(all.map((node) => node.ask("GET", "/health"))).then((answers) =>
    answers.map((answer) => answer?.status).join()
  )
