import * as PostgresServer from "@frontdesk/test-postgres/PostgresServer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { acme, ask } from "../support/acme.ts"
import { provision, run, serve } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"

let postgres: PostgresServer.PostgresServer
beforeAll(async () => {
  postgres = await PostgresServer.make()
})
afterAll(() => postgres.remove())

const settings = () => ({ FRONTDESK_DATABASE_URL: postgres.url })

describe("frontdesk serve on a PostgreSQL server of its own", () => {
  it("answers 503 with Retry-After while the database does not answer, and recovers by itself", async () => {
    const folder = temporaryFolder()
    await provision(folder, acme, settings())
    const server = await serve(folder, {
      settings: { ...settings(), FRONTDESK_DATABASE_STATEMENT_TIMEOUT: "1 second" }
    })
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    await postgres.freeze()
    // GET /health reuses a result for a second. The server is frozen, so only the timeout of the check leads to 503.
    await expect.poll(async () => (await fetch(`${server.url}/health`)).status, { timeout: 15_000 }).toBe(503)
    const refused = await ask(server.url, "/api/v1/agents")
    expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toMatchObject([
      503,
      "1",
      { error: "service_unavailable" }
    ])
    await postgres.thaw()
    await expect.poll(async () => (await fetch(`${server.url}/health`)).status, { timeout: 15_000 }).toBe(200)
    expect((await ask(server.url, "/api/v1/agents")).status).toBe(200)
    await server.stop()
  })

  it("exits with 2 when the listen URL leads to another database, because no notification arrives", async () => {
    const url = new URL(postgres.url)
    url.pathname = "/template1"
    url.password = "hunter2"
    const { code, stderr } = await run(temporaryFolder(), ["serve"], {
      settings: {
        ...settings(),
        FRONTDESK_DATABASE_POOLER: "transaction",
        FRONTDESK_DATABASE_LISTEN_URL: url.href
      }
    })
    expect(code).toBe(2)
    expect(stderr).toContain("--database-listen-url (FRONTDESK_DATABASE_LISTEN_URL): ")
    expect(stderr).toContain("does not receive the notifications of")
    expect(stderr).not.toContain("hunter2")
  })
})
