import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { withProgram } from "@frontdesk/test-postgres/withProgram"
import { beforeAll, expect, it } from "vitest"

const example = new URL("..", import.meta.url)

const run = (...args: ReadonlyArray<string>) =>
  promisify(execFile)("pnpm", ["exec", ...args], {
    cwd: example,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" }
  })

beforeAll(async () => {
  await run("tsc", "-p", ".")
  // The build also loads the route, and may open nothing: there is no database.
  await run("next", "build")
}, 300_000)

it("the program shows contacts on a page and serves the API in a route", { timeout: 60_000 }, () =>
  withProgram(new URL("test/start.ts", example), async ({ url }) => {
    const page = async () => (await fetch(url)).text()
    const ask = async (path: string, cookie: string, body?: object) => {
      const init = body && { method: "POST", body: JSON.stringify(body) }
      const response = await fetch(`${url}/api/voice${path}`, {
        ...init,
        headers: { cookie, "content-type": "application/json" }
      })
      return { status: response.status, body: await response.json() }
    }
    expect(await page()).toMatch(/<h1>0(?:<!-- -->)? contacts/)
    const created = await ask("/api/v1/contacts/create", "account=acme", { first_name: "Jo" })
    expect(created).toMatchObject({ status: 201, body: { id: 1 } })
    expect(await page()).toContain("<li>Jo</li>")
    expect(await ask("/api/v1/contacts", "")).toMatchObject({ status: 401 })
    expect(await ask("/api/v1/nothing", "account=acme")).toMatchObject({ status: 404, body: { error: "not_found" } })
    expect(await ask("/openapi.json", "")).toMatchObject({ body: { servers: [{ url: "/api/voice" }] } })
  })
)
