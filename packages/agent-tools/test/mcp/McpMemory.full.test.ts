import { McpEndpoint } from "@frontdesk/agent-tools"
import { usedBytes } from "@frontdesk/testing/suite/usedBytes"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { toolboxWith } from "../runners.ts"

it("100,000 clients that initialize and call a tool leave nothing in memory", { timeout: 300_000 }, async () => {
  const handle = McpEndpoint.handle({ name: "frontdesk", version: "1.2.3" })
  const bodies = [
    { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} } },
    { id: 2, method: "tools/call", params: { name: "opt_out" } }
  ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }))
  const clients = (count: number) =>
    Effect.runPromise(
      Effect.forEach(
        Array.from({ length: count }),
        () => Effect.forEach(bodies, (body) => handle({ method: "POST", headers: {}, body }, Effect.sync(toolboxWith))),
        { discard: true }
      )
    )
  await clients(5_000)
  const before = usedBytes()
  await clients(100_000)
  // That is 150 bytes for each client, less than a session in a map with its id. Other files share the process.
  expect(usedBytes() - before).toBeLessThan(15_000_000)
})
