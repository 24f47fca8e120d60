import { isDeepStrictEqual } from "node:util"
import { beforeAll, expect, it } from "vitest"
import { acme, acmeKey } from "../support/acme.ts"
import { serve } from "../support/asProcess.ts"
import { provision } from "../support/launch.ts"
import { reports } from "../support/logLines.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { type Client, clientOf } from "./rawClient.ts"

const get = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: frontdesk\r\nAuthorization: Bearer ${acmeKey}\r\n\r\n`
const body = JSON.stringify({ title: "Late", start_time: "2030-01-01T10:00:00", end_time: "2030-01-01T11:00:00" })
const post = [
  "POST /api/v1/calendar/events/create HTTP/1.1",
  "Host: frontdesk",
  `Authorization: Bearer ${acmeKey}`,
  "Content-Type: application/json",
  `Content-Length: ${Buffer.byteLength(body)}`,
  "",
  body
].join("\r\n")

/** What one connection sends before and after the signal. */
interface Plan {
  readonly name: string
  /** A request that is sent and answered before all others. */
  readonly first?: string
  /** Bytes that are sent before the signal and that the server has not read when it receives the signal. */
  readonly before?: string
  /** Bytes that are sent after the server has logged that it stops. */
  readonly after?: string
  /** The statuses of all answers on the connection. */
  readonly answers: ReadonlyArray<number>
}

const plans: ReadonlyArray<Plan> = [
  { name: "a new connection with a request", before: get("/api/v1/agents"), answers: [200] },
  { name: "a new connection with a write", before: post, answers: [201] },
  {
    name: "a kept connection with a request",
    first: get("/health"),
    before: get("/api/v1/calls"),
    answers: [200, 200]
  },
  {
    name: "pipelined requests",
    before: [get("/api/v1/agents"), post, get("/api/v1/contacts"), get("/api/v1/webhooks")].join(""),
    answers: [200, 201, 200, 200]
  },
  { name: "half a head", before: post.slice(0, 30), after: post.slice(30), answers: [201] },
  {
    name: "half a head on a kept connection",
    first: get("/health"),
    before: post.slice(0, 30),
    after: post.slice(30),
    answers: [200, 201]
  },
  { name: "half a body", before: post.slice(0, -10), after: post.slice(-10), answers: [201] },
  { name: "an idle connection", first: get("/health"), answers: [200] },
  { name: "a connection that has sent nothing", answers: [] }
]

const settings = { FRONTDESK_RATE_LIMIT: "off" }

/** Defines the tests of SIGTERM for a server with this number of connections for each plan. */
export const gracefulStop = (connections: number): void => {
  const folder = temporaryFolder()
  beforeAll(() => provision(folder, acme))

  it("loses no request that was sent before it on new, kept, pipelined or half-sent connections (D-SRV-17)", async () => {
    const server = await serve(folder, { settings })
    const openedBefore = plans.filter(({ after, first }) => first !== undefined || after !== undefined)
    const open = () => Promise.all(Array.from({ length: connections }, () => clientOf(server.url)))
    const early = new Map<Plan, ReadonlyArray<Client>>()
    for (const plan of openedBefore) early.set(plan, await open())
    for (const [plan, clients] of early) for (const client of clients) await client.send(plan.first ?? "")
    for (const [{ first }, clients] of early)
      for (const client of clients)
        await expect.poll(client.statuses, { timeout: 20_000 }).toHaveLength(first === undefined ? 0 : 1)

    // The process is suspended, so that everything is in the buffers of the kernel, and the new connections are in the
    // backlog of the listener, when the signal arrives.
    server.child.kill("SIGSTOP")
    const all = new Map(early)
    const fresh = plans.filter((plan) => !early.has(plan))
    await Promise.all(fresh.map(async (plan) => all.set(plan, await open())))
    await Promise.all([...all].flatMap(([{ before }, clients]) => clients.map((client) => client.send(before ?? ""))))
    server.child.kill("SIGTERM")
    server.child.kill("SIGCONT")
    await server.wrote("stderr", reports("server.stopping"))
    await Promise.all([...all].flatMap(([{ after }, clients]) => clients.map((client) => client.send(after ?? ""))))

    expect(await server.ended).toMatchObject({ code: 0 })
    await Promise.all([...all.values()].flat().map(({ closed }) => closed))
    const lost = [...all].flatMap(([{ answers, name }, clients]) =>
      clients
        .filter((client) => client.errors().length > 0 || !isDeepStrictEqual(client.statuses(), answers))
        .map((client) => [name, client.errors(), client.statuses(), client.text().slice(-200)])
    )
    expect(lost).toEqual([])
  })

  it("adds Connection: close to every later answer", async () => {
    const server = await serve(folder, { settings })
    const client = await clientOf(server.url)
    await client.send(post.slice(0, -10))
    server.child.kill("SIGTERM")
    await server.wrote("stderr", reports("server.stopping"))
    await client.send(post.slice(-10))
    await client.closed
    expect(client.text()).toMatch(/^HTTP\/1.1 201 Created\r\n[^]*connection: close\r\n/i)
    expect(await server.ended).toMatchObject({ code: 0 })
  })
}
