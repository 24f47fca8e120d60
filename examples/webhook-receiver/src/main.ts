// WEBHOOK_SECRET=whsec_… PORT=9000 node src/main.ts
import { makeServer } from "./Receiver.ts"

const secret = process.env["WEBHOOK_SECRET"]
if (secret === undefined || secret === "") {
  console.error("WEBHOOK_SECRET is not set: it is the secret that the answer to creating the webhook shows.")
  process.exit(2)
}

// While a secret is rotated, the new and the old one with a space between.
const server = makeServer({ secrets: secret.split(" ") }, async ({ event, id, payload }) => {
  console.log(event, id, JSON.stringify(payload))
})

server.listen(Number(process.env["PORT"] ?? 9000), "127.0.0.1", () => {
  const address = server.address()
  console.log(`listening on http://127.0.0.1:${typeof address === "object" ? address?.port : address}`)
})
