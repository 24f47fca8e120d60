import { describe, expect, it } from "vitest"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Flood from "@frontdesk/testing/receiver/Flood"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import { run } from "./senderProcess.ts"

const mebibyte = 1_024 * 1_024

describe("A process that sends to a receiver with endless answers", () => {
  // Each answer is endless, has tens of mebibytes, or would have 1 GiB after decompression.
  it.each([
    { behaviour: Flood.endless, requests: 300, status: 200 },
    { behaviour: Flood.bomb("gzip"), requests: 300, status: 200 },
    { behaviour: Flood.bomb("br"), requests: 300, status: 200 },
    { behaviour: Flood.hugeHead(50_000_000), requests: 300, status: null },
    { behaviour: Flood.informational(103), requests: 300, status: null },
    { behaviour: Flood.endlessChunkExtension, requests: 6, status: 200 },
    { behaviour: Flood.dripBody(5), requests: 60, status: 200, timeoutMillis: 1_000 },
    { behaviour: Flood.dripHead(5), requests: 60, status: null, timeoutMillis: 200 }
  ])(
    "uses at most 8 MiB more memory after all requests than after a third of them: $behaviour.name",
    async ({ behaviour, requests, status, timeoutMillis = 10_000 }) => {
      await using receiver = await Receiver.open({ plan: behaviour })
      const { growth, peak, statuses } = await run({ url: receiver.url, requests, timeoutMillis, fetch: false })
      expect(statuses).toEqual(Array.from({ length: requests }, () => status))
      expect(growth).toBeLessThan(8 * mebibyte)
      // The peak depends on when memory is freed. A process that stores the answers would need gigabytes.
      expect(peak).toBeLessThan(400 * mebibyte)
    }
  )
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
