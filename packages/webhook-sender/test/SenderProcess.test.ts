import { describe, expect, it } from "vitest"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Flood from "@frontdesk/testing/receiver/Flood"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import { run } from "./senderProcess.ts"

const mebibyte = 1_024 * 1_024

describe("A process that sends to a receiver with endless answers", () => {
  it("uses at most 8 MiB more memory after 60 requests than after 20", { timeout: 120_000 }, async () => {
    await using receiver = await Receiver.open({ plan: Flood.endless })
    const task = { url: receiver.url, requests: 60, timeoutMillis: 10_000, fetch: false }
    const { growth, peak, statuses } = await run(task)
    expect(statuses).toEqual(Array.from({ length: 60 }, () => 200))
    expect(growth).toBeLessThan(8 * mebibyte)
    // The peak depends on when garbage is collected, and so on the load of the machine.
    expect(peak).toBeLessThan(1_024 * mebibyte)
  })
})

describe("A process with a proxy in its environment", () => {
  it("sends directly to the receiver, while the global fetch uses the proxy", { timeout: 120_000 }, async () => {
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
