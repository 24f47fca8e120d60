import { describe, expect, it } from "vitest"
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
