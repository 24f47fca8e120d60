// WEBHOOK_SECRET=whsec_… PORT=9000 node src/main.ts
import * as Redacted from "effect/Redacted"
import { makeReceiver } from "./Receiver.ts"

const secret = process.env["WEBHOOK_SECRET"]
if (secret === undefined || secret === "") {
  console.error("WEBHOOK_SECRET is not set: it is the secret that the answer to creating the webhook shows.")
  process.exit(2)
}

const server = makeReceiver(Redacted.make(secret), async ({ id, event, body }) => {
  console.log(event, id, JSON.stringify(body))
})

server.listen(Number(process.env["PORT"] ?? 9000), "127.0.0.1", () => {
  const address = server.address()
  console.log(`listening on http://127.0.0.1:${typeof address === "object" ? address?.port : address}`)
})
