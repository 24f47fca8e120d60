import { expect, it } from "vitest"
import { withExample } from "./Program.ts"

it("a user sees the account that resolve names and nothing of another one, and changes nothing", () =>
  withExample(async ({ signIn, url }) => {
    const ask = async (path: string, init?: RequestInit) => {
      const response = await fetch(`${url}/voice/desk/api/v1${path}`, init)
      return { status: response.status, body: await response.json() }
    }
    const refused = { status: 401, body: { error: "authentication_required" } }
    expect(await ask("/contacts")).toMatchObject(refused)
    await expect(signIn("jo", "battery staple")).rejects.toThrow("Wrong name or password")

    const [jo, mo] = [await signIn("jo", "correct horse"), await signIn("mo", "battery staple")]
    expect(await ask("/caller", { headers: jo })).toMatchObject({
      body: { person: { user_id: "1", name: "Jo", role: "owner" }, is_read_only: true }
    })
    for (const [headers, name, contact, other, call] of [
      [jo, "Acme", { first_name: "Alma" }, 2, { phone_number: "+12025550111" }],
      [mo, "Globex", { first_name: "Gus" }, 1, { phone_number: "+12025550122" }]
    ] as const) {
      expect(await ask("/account", { headers })).toMatchObject({ body: { name } })
      const contacts = await ask("/contacts", { headers })
      expect(contacts).toMatchObject({ status: 200, body: { count: 1, contacts: [contact] } })
      expect(await ask("/calls", { headers })).toMatchObject({ body: { count: 1, calls: [call] } })
      for (const path of [`/contacts/${other}`, `/calls/${other}`])
        expect([path, await ask(path, { headers })]).toMatchObject([path, { status: 404 }])
    }

    // An owner may change everything elsewhere. Here the option `readOnly` forbids it.
    const change = { "sec-fetch-site": "same-origin", "content-type": "application/json" }
    const created = { method: "POST", body: JSON.stringify({ first_name: "Kim" }) }
    expect(await ask("/contacts/create", { ...created, headers: { ...jo, ...change } })).toMatchObject({
      status: 403,
      body: { error: "permission_denied", message: "The caller may only read" }
    })
    expect(await ask("/contacts", { headers: jo })).toMatchObject({ body: { count: 1 } })

    await fetch(`${url}/sign-out`, { method: "POST", headers: jo, redirect: "manual" })
    expect(await ask("/contacts", { headers: jo })).toMatchObject(refused)
  }))

it("the pages and their files are served below the mount with a policy that allows no other server", () =>
  withExample(async ({ url }) => {
    const page = await fetch(`${url}/voice/desk/calls`)
    const html = await page.text()
    expect(page.status).toBe(200)
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';.* frame-ancestors 'none'$/
    )
    expect(html).toContain(`<base href="/voice/desk/">`)
    const files = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(
      ([, path]) => `${url}/voice/desk/${path}`
    )
    expect(files.length).toBeGreaterThan(1)
    for (const file of files) {
      const response = await fetch(file)
      expect([file, response.status, await response.text()]).toEqual([file, 200, expect.stringMatching(/./)])
      expect(response.headers.get("cache-control")).toContain("immutable")
    }
  }))
