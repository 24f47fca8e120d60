import { McpCost, McpEndpoint } from "@frontdesk/agent-tools"
import { expect, it } from "vitest"

const message = (name: string, args: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args }
})

const find = (to_date: string, duration_minutes = 30) =>
  message("find_slots", { from_date: "2026-03-01", to_date, duration_minutes })

const ping = { jsonrpc: "2.0", id: 1, method: "ping" }

const costs: ReadonlyArray<readonly [what: string, body: unknown, cost: number]> = [
  ["a message", ping, 0],
  ["a search of a week", find("2026-03-07"), 0],
  ["a search of 8 days", find("2026-03-08"), 1],
  ["a search of 62 days", find("2026-05-01"), 8],
  ["a search of 2 days for slots of a minute", find("2026-03-02", 1), 2],
  ["a search of too many days, which is refused", find("2026-05-02"), 0],
  ["a search without arguments", { ...ping, method: "tools/call", params: { name: "find_slots" } }, 0],
  ["a booking", message("book", { slot_id: "x" }), 0],
  ["a batch", [ping, find("2026-03-08"), find("2026-05-01")], 11],
  ["an empty batch", [], 0],
  ["a batch that is refused", Array.from({ length: 21 }, () => ping), 0]
]

const receive = McpEndpoint.receive({ name: "frontdesk", version: "1" })

/** Returns the cost of a body as the route computes it. */
const costOf = (body: string) => McpCost.ofMessages(receive({ method: "POST", headers: {}, body }).messages)

it.each(costs)("%s has its further cost", (_, body, cost) => {
  expect(costOf(JSON.stringify(body))).toBe(cost)
})

it.each([["{"], [""], [" ".repeat(300_000)]])("a body that is refused costs nothing further", (text) => {
  expect(costOf(text)).toBe(0)
})
