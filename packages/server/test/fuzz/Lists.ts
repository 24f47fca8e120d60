import type { Client } from "./Client.ts"
import type { Caller } from "./Installation.ts"
import { json, member } from "./ResponseCheck.ts"

/** The lists of an account: the path, and the key of the items in the answer. */
const lists: ReadonlyArray<readonly [path: string, items: string]> = [
  ["/api/v1/contacts", "contacts"],
  ["/api/v1/calendar/events", "events"],
  ["/api/v1/calls", "calls"],
  ["/api/v1/agents", "agents"],
  ["/api/v1/context-variables", "variables"],
  ["/api/v1/webhooks", "webhooks"],
  ["/api/v1/api-keys", "api_keys"],
  ["/api/v1/members", "members"],
  ["/api/v1/sessions", "sessions"],
  ["/api/v1/dashboard/links", "links"]
]

/** The keys of lists that have no pages. */
const unpaged = new Set(["agents", "variables", "webhooks", "api_keys", "members", "links"])

/** Reads every page of every list of a caller and returns the faults. No other request may change data meanwhile. */
export const faults = async (client: Client, caller: Caller): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const [path, key] of lists) {
    const ids = new Set<unknown>()
    for (let page = 1, pages = 1; page <= pages; page++) {
      const target = unpaged.has(key) ? path : `${path}?limit=100&page=${page}`
      const answer = await client.send(caller, { method: "GET", target })
      if (answer instanceof Error || answer.status !== 200) {
        found.push(`${target}: ${answer instanceof Error ? answer.message : `${answer.status} ${answer.text}`}`)
        break
      }
      const body = json(answer)
      const items = member(body, key)
      if (!Array.isArray(items)) {
        found.push(`${target}: no ${key}`)
        break
      }
      for (const item of items) ids.add(member(item, "id"))
      pages = Number(member(body, "pages") ?? 1)
      const count = member(body, "count")
      if (page === pages && typeof count === "number" && count !== ids.size)
        found.push(`${path}: count is ${count}, but the pages have ${ids.size} items`)
    }
  }
  return found
}
