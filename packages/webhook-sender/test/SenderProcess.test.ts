import { execFile } from "node:child_process"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Flood from "@frontdesk/testing/receiver/Flood"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import * as Schema from "effect/Schema"
import { Outcome, Task } from "./senderTask.ts"

const mebibyte = 1_024 * 1_024

describe("a process that sends to a receiver that never stops", () => {
  // Each of these answers is tens of mebibytes to an endless amount for whoever keeps or unpacks it.
  it.each([
    { behaviour: Flood.endless, requests: 300, status: 200 },
    { behaviour: Flood.bomb("gzip"), requests: 300, status: 200 },
    { behaviour: Flood.bomb("br"), requests: 300, status: 200 },
    { behaviour: Flood.hugeHead(50_000_000), requests: 300, status: null },
    { behaviour: Flood.inform(103), requests: 300, status: null },
    { behaviour: Flood.endlessChunkExtension, requests: 6, status: 200 },
    { behaviour: Flood.dripBody(5), requests: 60, status: 200, timeoutMillis: 1_000 },
    { behaviour: Flood.dripHead(5), requests: 60, status: null, timeoutMillis: 200 }
  ])("stays as small as it was: $behaviour.name", async ({ behaviour, requests, status, timeoutMillis = 10_000 }) => {
    await using receiver = await Receiver.open({ plan: behaviour })
    const { growth, peak, statuses } = await run({ url: receiver.url, requests, timeoutMillis, fetch: false })
    expect(statuses).toEqual(Array.from({ length: requests }, () => status))
    expect(growth).toBeLessThan(8 * mebibyte)
    // When memory is freed is up to the machine; who keeps the answers needs gigabytes.
    expect(peak).toBeLessThan(400 * mebibyte)
  })
})

describe("a process whose environment names a proxy", () => {
  it("sends to the receiver, where the global fetch goes to the proxy", async () => {
    await using receiver = await Receiver.open()
    await using proxy = await Receiver.open({ plan: Behaviour.answer(502) })
    const proxies = Object.fromEntries(
      ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"].map((name) => [
        name,
        proxy.url
      ])
    )
    const environment = { ...proxies, NO_PROXY: "", no_proxy: "", NODE_USE_ENV_PROXY: "1" }
    const task = { url: `${receiver.url}/hook`, requests: 10, timeoutMillis: 10_000 }
    expect((await run({ ...task, fetch: false }, environment)).statuses).toEqual(Array.from({ length: 10 }, () => 200))
    expect([receiver.requests.length, proxy.connections()]).toEqual([10, 0])
    await run({ ...task, fetch: true }, environment)
    expect([receiver.requests.length, proxy.connections()]).toEqual([20, 1])
  })
})

const run = async (task: typeof Task.Type, environment: Readonly<Record<string, string>> = {}) => {
  const worker = fileURLToPath(new URL("senderWorker.ts", import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--expose-gc", worker, Schema.encodeSync(Task)(task)],
    { env: { ...process.env, ...environment } }
  )
  return Schema.decodeUnknownSync(Outcome)(stdout)
}
