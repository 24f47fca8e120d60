import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { withProgram } from "@frontdesk/test-postgres/withProgram"
import { beforeAll, expect, it } from "vitest"

const example = new URL("..", import.meta.url)

// Node does not run decorators, so the program is compiled first.
beforeAll(async () => {
  await promisify(execFile)("pnpm", ["exec", "tsc", "-p", "."], { cwd: example })
})

it("the program stores a row through Drizzle and a contact in one transaction, and serves the API", () =>
  withProgram(new URL("node_modules/.cache/dist/main.js", example), async ({ url }) => {
    const post = (body: object) =>
      fetch(`${url}/orders`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" }
      })
    const contacts = async (token: string) =>
      (await fetch(`${url}/voice/api/v1/contacts`, { headers: { authorization: `Bearer ${token}` } })).json()

    expect(await (await post({ name: "Jo", item: "Door bell" })).json()).toMatchObject({ id: 1, firstName: "Jo" })
    // The column of the program is NOT NULL, so its row fails, and the contact is rolled back with it.
    expect((await post({ name: "Al", item: null })).status).toBe(500)
    expect(await contacts("jo")).toMatchObject({ count: 1, contacts: [{ first_name: "Jo" }] })
    expect(await contacts("other")).toMatchObject({ error: "authentication_required" })
  }))
