import { fileURLToPath } from "node:url"
import { Miniflare } from "miniflare"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, expect, it } from "vitest"

let workerd: Miniflare | undefined

beforeAll(async () => {
  const bundle = await rolldown({
    input: fileURLToPath(new URL("../src/worker.ts", import.meta.url)),
    platform: "neutral",
    external: /^node:/,
    resolve: { conditionNames: ["workerd", "worker", "import", "default"], mainFields: ["module", "main"] }
  })
  const { output } = await bundle.generate({ format: "esm" })
  workerd = new Miniflare({
    modules: output.flatMap((part) =>
      part.type === "chunk" ? [{ type: "ESModule" as const, path: part.fileName, contents: part.code }] : []
    ),
    compatibilityDate: "2026-07-01",
    compatibilityFlags: ["nodejs_compat"]
  })
})

afterAll(() => workerd?.dispose())

const ask = async (
  path: string,
  init: { readonly method?: string; readonly body?: string; readonly user?: string } = {}
) => {
  const { user, ...request } = init
  const headers = { "content-type": "application/json", ...(user !== undefined && { "x-user": user }) }
  const response = await workerd?.dispatchFetch(`https://acme.example${path}`, { ...request, headers })
  return response === undefined ? undefined : { status: response.status, body: await response.json() }
}

// workerd refuses timers and randomness before the first request.
it("the Worker serves the API below its path to its users", async () => {
  expect(await ask("/voice/api/v1/contacts", { user: "jo" })).toMatchObject({ status: 500 })
  expect(await ask("/setup")).toEqual({ status: 200, body: { acme: 1 } })
  const created = await ask("/voice/api/v1/contacts/create", {
    method: "POST",
    body: '{"first_name":"Jo"}',
    user: "jo"
  })
  expect(created).toMatchObject({ status: 201, body: { id: 1, first_name: "Jo" } })
  expect(await ask("/voice/api/v1/contacts", { user: "jo" })).toMatchObject({ status: 200, body: { count: 1 } })
  expect(await ask("/voice/api/v1/contacts")).toMatchObject({ status: 401 })
  expect(await ask("/voice/openapi.json")).toMatchObject({ body: { servers: [{ url: "/voice" }] } })
})
