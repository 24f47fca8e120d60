/** A program as a user writes it who generates clients from the OpenAPI document. */
import { once } from "node:events"
import { createServer } from "node:http"
import process from "node:process"
import { Frontdesk } from "@frontdesk/embed"
import createFetchClient from "openapi-fetch"
import { client as defaultClient } from "./hey/client.gen.ts"
import { createClient } from "./hey/client/index.ts"
import { contactsCreate, contactsGet } from "./hey/sdk.gen.ts"
import type { components, paths } from "./types.ts"

const frontdesk = await Frontdesk.open({ storage: { memory: true }, workers: false })
await frontdesk.provision({ accounts: [{ ref: "acme", name: "Acme" }] })
const { value } = await frontdesk.as("acme").apiKeys.create({
  name: "generated",
  permissions: ["can_read_contacts", "can_write_contacts"]
})
const server = createServer(frontdesk.node())
server.listen(0, "127.0.0.1")
await once(server, "listening")
const address = server.address()
const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
const headers = { authorization: `Bearer ${value}` }

const typed = createFetchClient<paths>({ baseUrl, headers })
const created = await typed.POST("/api/v1/contacts/create", {
  body: { first_name: "Jo", custom_context: { plan: { seats: 3 } } }
})
const missing = await typed.GET("/api/v1/contacts/{contact_id}", { params: { path: { contact_id: 999 } } })
// The type has the codes of the answers, so that a wrong one is an error here.
const isMissing = missing.error?.error === "not_found"

const client = createClient({ baseUrl, headers })
const second = await contactsCreate({ client, body: { first_name: "Al", custom_context: { plan: "pro" } } })
const read = await contactsGet({ client, path: { contact_id: second.data?.id ?? 0 } })

const webhook: components["schemas"]["CallEndedPayload"]["event_type"] = "call.ended"
const ended: components["schemas"]["WebhookCall"]["status"] = "completed"
// A client without a base URL asks the page's own server.
const path = defaultClient.buildUrl({ url: "/api/v1/agents" })
process.stdout.write(
  `${created.data?.first_name}, ${isMissing}, ${JSON.stringify(read.data?.custom_context)}, ${webhook} ${ended}, ${path}\n`
)
server.close()
server.closeAllConnections()
await frontdesk.close()
