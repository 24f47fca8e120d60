import { once } from "node:events"
import * as http2 from "node:http2"
import { expect, it } from "vitest"
import type { Respond } from "../../src/mount/Incoming.ts"
import { nodeHandler } from "../../src/mount/nodeHandler.ts"
import { withServer } from "../withServer.ts"
import { askFor } from "./askFor.ts"

/** Returns the URL of the request and its body as the answer. */
const echo: Respond = async ({ request }) => new Response(`${request.url} ${await request.text()}`)

const withHost = (url: string, host: string): Promise<string> => askFor(url, "/path", { host })

it("a target in the absolute form has the host that it names, and no other path than its own", () =>
  withServer(nodeHandler(echo, ""), async (url) => {
    const absolute = (target: string) => askFor(url, target, { host: "a.example" })
    expect(await absolute("http://b.example:81/path?x=http://c.example/")).toBe(
      "200 http://b.example:81/path?x=http://c.example/ "
    )
    expect(await absolute("HTTPS://b.example")).toBe("200 http://b.example/ ")
    expect(await absolute("http://b.example?x=1")).toBe("200 http://b.example/?x=1 ")
    expect(await absolute("/http://b.example/")).toBe("200 http://a.example/http://b.example/ ")
    for (const wrong of ["http:///path", "http://user@b.example/path"]) {
      expect(await absolute(wrong)).toMatch(/^400 .*invalid_request/)
    }
  }))

it("a Host that contains a path is refused, because the request would have another path for the program", () =>
  withServer(nodeHandler(echo, ""), async (url) => {
    expect(await withHost(url, "a.example:80")).toBe("200 http://a.example/path ")
    for (const host of ["a.example/docs?", "a.example#", "a.example?", "a.example\\docs"]) {
      expect(await withHost(url, host)).toMatch(/^400 .*invalid_request/)
    }
  }))

it("a header that the program has set to a number is text, and one that no request may have is answered with 400", () => {
  const handle = nodeHandler(echo, "")
  return withServer(
    (incoming, outgoing) => {
      Object.assign(incoming.headers, { "x-user": incoming.url === "/number" ? 5 : "5 \u20ac" })
      handle(incoming, outgoing)
    },
    async (url) => {
      expect((await fetch(`${url}number`)).status).toBe(200)
      expect((await fetch(url)).status).toBe(400)
    }
  )
})

it("a body of HTTP/2 without a length arrives", async () => {
  const server = http2.createServer(nodeHandler(echo, ""))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const session = http2.connect(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`)
  try {
    const asking = session.request({ ":method": "POST", ":path": "/path", ":authority": "a.example" })
    asking.end("hello")
    let text = ""
    for await (const chunk of asking) text += String(chunk)
    expect(text).toBe("http://a.example/path hello")
  } finally {
    session.destroy()
    server.close()
  }
})
