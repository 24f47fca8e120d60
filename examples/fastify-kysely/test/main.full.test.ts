import { withProgram } from "@frontdesk/test-postgres/withProgram"
import { expect, it } from "vitest"

it("the program stores a row through Kysely and a contact in one transaction, and serves the API", () =>
  withProgram(new URL("../src/main.ts", import.meta.url), async ({ url }) => {
    const post = (body: object) =>
      fetch(`${url}/tickets`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" }
      })
    const ask = async (path: string, account: string) =>
      (await fetch(`${url}/voice${path}`, { headers: { "x-account": account } })).json()

    expect(await (await post({ name: "Jo", text: "The door is stuck" })).json()).toMatchObject({
      id: 1,
      firstName: "Jo"
    })
    // PostgreSQL stores no NUL, so the row of the program fails, and the contact is rolled back with it.
    expect((await post({ name: "Al", text: "\u0000" })).status).toBe(500)
    expect(await ask("/api/v1/contacts", "acme")).toMatchObject({ count: 1, contacts: [{ first_name: "Jo" }] })
    expect(await ask("/api/v1/agents", "acme")).toMatchObject({ error: "permission_denied" })
    expect(await ask("/openapi.json", "")).toMatchObject({ servers: [{ url: "/voice" }] })
  }))
