import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../kill/ServerProcess.ts"
import * as Nodes from "./Nodes.ts"

const ErrorBody = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ error: Schema.String })))
const Id = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ id: Schema.Int })))
const Shown = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ custom_context: Schema.Record(Schema.String, Schema.Unknown) }))
)

/** How many answers there are, by status and error. */
const tally = (answers: ReadonlyArray<Answer>): Readonly<Record<string, number>> => {
  const names = answers.map(({ body, status }) => (status < 300 ? `${status}` : `${status} ${ErrorBody(body).error}`))
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, same]) => [name, same.length]))
}

/** One of the nodes, each in turn. */
const pick = (nodes: ReadonlyArray<Nodes.Node>, index: number): Nodes.Node => {
  const node = nodes[index % nodes.length]
  if (node === undefined) throw new Error("There is no node")
  return node
}

/** Asks so often at once, each node in turn; every request is answered. */
const askAll = (
  nodes: ReadonlyArray<Nodes.Node>,
  times: number,
  ask: (node: Nodes.Node, index: number) => Promise<Answer | null>
): Promise<ReadonlyArray<Answer>> =>
  Promise.all(
    Nodes.range(times).map(async (index) => {
      const answer = await ask(pick(nodes, index), index)
      if (answer === null) throw new Error("A request was not answered")
      return answer
    })
  )

/** A number for each of the requests under a name of its own. */
const valueOf = (index: number) => ({ [`key_${index}`]: index })

/**
 * What two nodes hold that are asked at the same time. `requests` is how many requests of each kind there are, half of them
 * on each node.
 */
export const simultaneous = (name: string, requests: number, options: Nodes.NodesOptions = {}): void => {
  describe(name, { timeout: 180_000 }, () => {
    let nodes: Nodes.Nodes
    let both: ReadonlyArray<Nodes.Node> = []

    beforeAll(async () => {
      nodes = await Nodes.open(options)
      both = await Promise.all(Nodes.range(2).map(() => nodes.start()))
    }, Nodes.patience)
    afterAll(() => nodes[Symbol.asyncDispose]())

    it("do once what has one idempotency key, and answer the same or that it is running", async () => {
      const answers = await askAll(both, requests, (node) => Nodes.book(node, "Once", {}, "one-key"))
      expect(await Nodes.count(nodes, "SELECT id FROM calendar_event WHERE title = 'Once'")).toBe(1)
      const done = answers.filter(({ status }) => status === 201)
      expect(done.filter(({ isReplayed }) => !isReplayed).length).toBe(1)
      expect(new Set(done.map(({ body }) => body)).size).toBe(1)
      const { "201": _, "409 idempotency_in_progress": running, ...others } = tally(answers)
      expect([others, done.length + (running ?? 0)]).toEqual([{}, requests])
      // Whoever comes later gets the answer of the one that did it, from any node.
      for (const node of both) {
        expect(await Nodes.book(node, "Once", {}, "one-key")).toEqual({ ...done[0], isReplayed: true })
      }
    })

    it("give a slot to one of those who want it alone", async () => {
      const slot = { start_time: "2041-01-02T10:00:00Z", end_time: "2041-01-02T10:30:00Z", reject_conflicts: true }
      const answers = await askAll(both, requests, (node, index) => Nodes.book(node, `Slot ${index}`, slot))
      expect(tally(answers)).toEqual({ "201": 1, "409 slot_unavailable": requests - 1 })
      expect(await Nodes.count(nodes, "SELECT id FROM calendar_event WHERE title LIKE 'Slot %'")).toBe(1)
    })

    it("lose no key of a contact's context", async () => {
      const made = Nodes.good(await pick(both, 0).ask("POST", "/api/v1/contacts/create", { first_name: "Jo" }))
      const { id } = Id(made.body)
      const answers = await askAll(both, requests, (node, index) =>
        node.ask("PATCH", `/api/v1/contacts/${id}/update`, { custom_context: valueOf(index) })
      )
      expect(tally(answers)).toEqual({ "200": requests })
      const shown = Nodes.good(await pick(both, 1).ask("GET", `/api/v1/contacts/${id}`))
      expect(Shown(shown.body).custom_context).toEqual(Object.assign({}, ...Nodes.range(requests).map(valueOf)))
    })

    it("lose no key of the business context", async () => {
      const answers = await askAll(both, requests, (node, index) =>
        node.ask("POST", "/api/v1/business/context", { variables: valueOf(index), auto_create_variables: true })
      )
      expect(tally(answers)).toEqual({ "200": requests })
      expect(await Nodes.count(nodes, "SELECT * FROM business_value")).toBe(requests)
      expect(await Nodes.count(nodes, "SELECT id FROM variable WHERE name LIKE 'key\\_%'")).toBe(requests)
    })

    it("have one rate limit, which counts what passes through all nodes together (D-PG-23)", async () => {
      const limit = 20
      await using nodes = await Nodes.open({ ...options, settings: { FRONTDESK_RATE_LIMIT: `${limit}/1 hour` } })
      const both = await Promise.all(Nodes.range(2).map(() => nodes.start()))
      const answers = await askAll(both, limit * 3, (node) => node.ask("GET", "/api/v1/agents"))
      expect(tally(answers)).toEqual({ "200": limit, "429 rate_limited": limit * 2 })
    })
  })
}
