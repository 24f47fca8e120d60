import * as net from "node:net"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Flood from "@frontdesk/testing/receiver/Flood"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"

describe("Receiver", () => {
  it("a receiver records body, headers and connection of each request", async () => {
    await using receiver = await Receiver.open()
    const first = await connect(receiver)
    first.write(`${head(6, "X-Twice: a\r\nx-twice: b\r\n")}\0\xff`, "latin1")
    first.write("\r\n\r\n", "latin1")
    await receiver.received(1)
    first.write(`${head(0)}${head(2)}ok`)
    await receiver.received(3)
    await exchange(receiver, `${head(1)}a`)
    expect(receiver.requests).toMatchObject([
      { method: "POST", path: "/hook?a=1", headers: { "x-twice": "a, b" }, connection: 1, turn: 1 },
      { connection: 1, turn: 2 },
      { connection: 1, turn: 3 },
      { connection: 2, turn: 1, serverName: null }
    ])
    const [binary, none, some] = receiver.requests.map(({ body }) => body.toString("latin1"))
    expect([binary, none, some]).toEqual(["\0\xff\r\n\r\n", "", "ok"])
    const times = receiver.requests.map(({ at }) => at)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  it("a receiver uses the plan of the path, or its general plan for other paths", async () => {
    await using receiver = await Receiver.open({ plan: Behaviour.answer(204) })
    receiver.plan(Behaviour.answer(500, { body: "no" }), "/hook")
    expect(await exchange(receiver, head(0))).toContain("500")
    receiver.plan(Behaviour.failFirst(1), "/hook")
    const statuses = [
      await exchange(receiver, head(0)),
      await exchange(receiver, head(0)),
      await exchange(receiver, head(0))
    ]
    // The plan counts all requests to the path, and the first one came before this plan was set.
    expect(statuses.map((text) => text.slice(9, 12))).toEqual(["200", "200", "200"])
    expect(await exchange(receiver, head(0).replace("/hook", "/other"))).toMatch(/^HTTP\/1.1 204 Status\r\n\r\n$/)
  })

  it("a receiver refuses connections after down and accepts them on the same port after up", async () => {
    await using receiver = await Receiver.open()
    const open = await connect(receiver)
    const closed = new Promise<string>((resolve) =>
      open.once("error", (error: NodeJS.ErrnoException) => resolve(`${error.code}`))
    )
    await receiver.down()
    expect(await closed).toBe("ECONNRESET")
    await expect(connect(receiver)).rejects.toMatchObject({ code: "ECONNREFUSED" })
    await receiver.up()
    expect(await exchange(receiver, head(0))).toContain("200")
  })

  it("Behaviour.sometimes chooses the same requests for the same seed", async () => {
    const chosen = (seed: number) => {
      const plan = Behaviour.sometimes(seed, 0.3)
      return Array.from({ length: 1_000 }, (_, index) =>
        typeof plan === "function" ? plan(request, index + 1).name : plan.name
      )
    }
    expect(chosen(1)).toEqual(chosen(1))
    expect(chosen(1)).not.toEqual(chosen(2))
    const bad = chosen(1).filter((name) => name === "answers 500").length
    expect(bad).toBeGreaterThan(250)
    expect(bad).toBeLessThan(350)
  })
})

describe("Behaviour", () => {
  it("answer with afterMillis answers after that time, which later requests do not wait for", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    onTestFinished(() => void vi.useRealTimers())
    const late = Behaviour.answer(200, { afterMillis: 60_000 })
    await using receiver = await Receiver.open({ plan: Behaviour.failFirst(1, late, Behaviour.answer(204)) })
    const socket = await connect(receiver)
    let text = ""
    socket.on("data", (chunk) => (text += chunk.toString("latin1")))
    socket.write(head(0))
    await receiver.received(1)
    vi.advanceTimersByTime(59_999)
    socket.write(head(0))
    await expect.poll(() => text).toMatch(/^HTTP\/1.1 204 Status\r\n\r\n$/)
    vi.advanceTimersByTime(1)
    await expect.poll(() => text).toContain("HTTP/1.1 200")
    socket.destroy()
  })

  it.each([
    { behaviour: Behaviour.answerUnprompted(), sent: "" },
    { behaviour: Behaviour.answerEarly(), sent: head(1_000_000) }
  ])("a behaviour sends what its name says: $behaviour.name", async ({ behaviour, sent }) => {
    await using receiver = await Receiver.open({ plan: behaviour })
    expect(await exchange(receiver, sent)).toContain("200")
  })

  it.each(["mid-request", "before the head", "after the head"] as const)(
    "reset closes the connection with a reset %s",
    async (when) => {
      await using receiver = await Receiver.open({ plan: Behaviour.reset(when) })
      const socket = await connect(receiver)
      socket.write(`${head(1_000)}${"a".repeat(when === "mid-request" ? 500 : 1_000)}`)
      const { code, text } = await endOf(socket)
      expect(code).toBe("ECONNRESET")
      expect(text).toBe(when === "after the head" ? "HTTP/1.1 200 Status\r\ncontent-length: 100\r\n\r\n" : "")
    }
  )

  it.each(["reset", "end"] as const)(
    "closeReused closes a connection when its second request arrives (%s)",
    async (how) => {
      await using receiver = await Receiver.open({ plan: Behaviour.closeReused(how) })
      const socket = await connect(receiver)
      socket.write(head(0))
      await receiver.received(1)
      socket.write(head(0))
      expect(await endOf(socket)).toMatchObject({ code: how === "reset" ? "ECONNRESET" : null })
      expect(receiver.requests.map(({ turn }) => turn)).toEqual([1, 2])
    }
  )

  it("answerTwice sends a second answer behind the first", async () => {
    for (const when of ["at once", "later"] as const) {
      await using receiver = await Receiver.open({ plan: Behaviour.answerTwice(Behaviour.answerText(410), when) })
      expect(await exchange(receiver, head(0), /410/)).toMatch(/^HTTP\/1.1 200[^]*HTTP\/1.1 410/)
    }
  })
})

describe("Flood", () => {
  // The test ends once it has received this many bytes of the flood.
  const floods = [
    { behaviour: Flood.endless, bytes: 5_000_000 },
    { behaviour: Flood.endlessChunkExtension, bytes: 5_000_000 },
    { behaviour: Flood.hugeHead(4_000_000), bytes: 3_900_000 },
    { behaviour: Flood.informational(103), bytes: 5_000_000 },
    { behaviour: Flood.dripHead(1), bytes: 40 },
    { behaviour: Flood.dripBody(1), bytes: 60 }
  ]
  it.each(floods)("a flood sends what its name says: $behaviour.name", async ({ behaviour, bytes }) => {
    await using receiver = await Receiver.open({ plan: behaviour })
    const socket = await connect(receiver)
    socket.write(head(0))
    await new Promise<void>((resolve) => {
      let size = 0
      socket.on("data", (chunk) => {
        size += chunk.length
        if (size >= bytes) resolve()
      })
    })
    socket.destroy()
    await receiver.idle()
  })

  it.each(["gzip", "br"] as const)("bomb sends a small body that decompresses to a huge one (%s)", async (encoding) => {
    await using receiver = await Receiver.open({ plan: Flood.bomb(encoding) })
    const socket = await connect(receiver)
    socket.write(head(0))
    const chunks: Array<Buffer> = []
    await new Promise<void>((resolve) => {
      socket.on("data", (chunk: Buffer) => {
        chunks.push(chunk)
        const bytes = Buffer.concat(chunks)
        const length = Number(/content-length: (\d+)/.exec(bytes.toString("latin1"))?.[1])
        if (bytes.length >= bytes.indexOf("\r\n\r\n") + 4 + length) resolve()
      })
    })
    const bytes = Buffer.concat(chunks)
    const body = bytes.subarray(bytes.indexOf("\r\n\r\n") + 4)
    expect(body.length).toBeLessThan(2_000_000)
    const unpack = encoding === "gzip" ? gunzipSync : brotliDecompressSync
    expect(() => unpack(body, { maxOutputLength: 100_000_000 })).toThrow(/Cannot create a Buffer larger/)
  })
})

const request = {
  at: 0,
  method: "POST",
  path: "/",
  headers: {},
  body: Buffer.alloc(0),
  connection: 1,
  turn: 1,
  serverName: null
}

const head = (length: number, more = "") =>
  `POST /hook?a=1 HTTP/1.1\r\nHost: a\r\n${more}Content-Length: ${length}\r\n\r\n`

const connect = (receiver: Receiver.Receiver) =>
  new Promise<net.Socket>((resolve, reject) => {
    const socket = net.connect(receiver.port, "127.0.0.1", () => resolve(socket))
    socket.on("error", reject)
  })

/** Sends a text on a new connection. Returns the received text as soon as it matches `enough`. */
const exchange = async (receiver: Receiver.Receiver, text: string, enough = /\r\n\r\n/) => {
  const socket = await connect(receiver)
  socket.write(text)
  return new Promise<string>((resolve) => {
    let answer = ""
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1")
      if (!enough.test(answer)) return
      socket.destroy()
      resolve(answer)
    })
  })
}

/** Waits until the connection is closed. Returns the received text and the code of the error, or null. */
const endOf = (socket: net.Socket) =>
  new Promise<{ text: string; code: string | null }>((resolve) => {
    let [text, code]: [string, string | null] = ["", null]
    socket.on("data", (chunk) => (text += chunk.toString("latin1")))
    socket.on("error", (error: NodeJS.ErrnoException) => (code = error.code ?? null))
    socket.on("close", () => resolve({ text, code }))
  })
