import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../kill/ServerProcess.ts"
import * as Nodes from "./Nodes.ts"

const ErrorBody = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ error: Schema.String })))
const Id = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ id: Schema.Int })))
const Shown = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ custom_context: Schema.Record(Schema.String, Schema.Unknown) }))
)

/** Counts answers by status and error code. */
const tally = (answers: ReadonlyArray<Answer>): Readonly<Record<string, number>> => {
  const names = answers.map(({ body, status }) => (status < 300 ? `${status}` : `${status} ${ErrorBody(body).error}`))
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, same]) => [name, same.length]))
}

/** Returns the node for an index, so that consecutive indexes use the nodes in turn. */
const pick = (nodes: ReadonlyArray<Nodes.Node>, index: number): Nodes.Node => {
  const node = nodes[index % nodes.length]
  if (node === undefined) throw new Error("There is no node")
  return node
}

/** Sends all requests at once, to the nodes in turn. Throws if one is not answered. */
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

/** Returns an object with one key, which differs for each request. */
const valueOf = (index: number) => ({ [`key_${index}`]: index })

/**
 * Defines the tests of rules that two nodes keep under simultaneous requests. `requests` is the number of requests in most
 * tests, half of them on each node.
 */
export const simultaneousRequests = (name: string, requests: number, options: Nodes.NodesOptions = {}): void => {
  describe(name, { timeout: 180_000 }, () => {
    let nodes: Nodes.Nodes
    let both: ReadonlyArray<Nodes.Node> = []

    beforeAll(async () => {
      nodes = await Nodes.open(options)
      both = await Promise.all(Nodes.range(2).map(() => nodes.start()))
    }, Nodes.maxWait)
    afterAll(() => nodes[Symbol.asyncDispose]())

    it("execute requests with one idempotency key once, and answer the others with a replay or 409", async () => {
      const answers = await askAll(both, requests, (node) => Nodes.book(node, "Once", {}, "one-key"))
      expect(await Nodes.count(nodes, "SELECT id FROM calendar_event WHERE title = 'Once'")).toBe(1)
      const done = answers.filter(({ status }) => status === 201)
      expect(done.filter(({ isReplayed }) => !isReplayed).length).toBe(1)
      expect(new Set(done.map(({ body }) => body)).size).toBe(1)
      const { "201": _, "409 idempotency_in_progress": running, ...others } = tally(answers)
      expect([others, done.length + (running ?? 0)]).toEqual([{}, requests])
      // A later request gets a replay of the answer from any node.
      for (const node of both) {
        expect(await Nodes.book(node, "Once", {}, "one-key")).toEqual({ ...done[0], isReplayed: true })
      }
    })

    it("book a slot for only one of the requests that reject conflicts", async () => {
      const slot = { start_time: "2041-01-02T10:00:00Z", end_time: "2041-01-02T10:30:00Z", reject_conflicts: true }
      const answers = await askAll(both, requests, (node, index) => Nodes.book(node, `Slot ${index}`, slot))
      expect(tally(answers)).toEqual({ "201": 1, "409 slot_unavailable": requests - 1 })
      expect(await Nodes.count(nodes, "SELECT id FROM calendar_event WHERE title LIKE 'Slot %'")).toBe(1)
    })

    it("lose no key of a contact's custom context", async () => {
      const created = Nodes.expectOk(await pick(both, 0).ask("POST", "/api/v1/contacts/create", { first_name: "Jo" }))
      const { id } = Id(created.body)
      const answers = await askAll(both, requests, (node, index) =>
        node.ask("PATCH", `/api/v1/contacts/${id}/update`, { custom_context: valueOf(index) })
      )
      expect(tally(answers)).toEqual({ "200": requests })
      const shown = Nodes.expectOk(await pick(both, 1).ask("GET", `/api/v1/contacts/${id}`))
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

    it("share one rate limit for the requests to all nodes (D-PG-23)", async () => {
      const limit = 20
      await using nodes = await Nodes.open({ ...options, settings: { FRONTDESK_RATE_LIMIT: `${limit}/1 hour` } })
      const both = await Promise.all(Nodes.range(2).map(() => nodes.start()))
      const answers = await askAll(both, limit * 3, (node) => node.ask("GET", "/api/v1/agents"))
      expect(tally(answers)).toEqual({ "200": limit, "429 rate_limited": limit * 2 })
    })
  })
}
