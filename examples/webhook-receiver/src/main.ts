// WEBHOOK_SECRET=whsec_… PORT=9000 node src/main.ts
import { makeServer } from "./Receiver.ts"

const secret = process.env["WEBHOOK_SECRET"]
if (secret === undefined || secret === "") {
  console.error("WEBHOOK_SECRET is not set. Set it to the secret in the answer to the creation of the webhook.")
  process.exit(2)
}

// During the rotation of a secret, WEBHOOK_SECRET has the new and the old one, separated by a space.
const secrets = secret.split(" ")
if (!secrets.every((text) => /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text))) {
  console.error("WEBHOOK_SECRET is invalid. A webhook secret is whsec_ followed by Base64.")
  process.exit(2)
}

const server = makeServer({ secrets }, async ({ event, id, payload }) => {
  // The event is null if the body does not name it.
  console.log(...(event === null ? [] : [event]), id, JSON.stringify(payload))
})

const port = Number(process.env["PORT"] || 9000)
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error("PORT is invalid. Expected a number from 0 to 65535.")
  process.exit(2)
}

server.on("error", ({ message }) => {
  console.error(`The receiver cannot listen: ${message}`)
  process.exitCode = 1
})

server.listen(port, "127.0.0.1", () => {
  const address = server.address()
  console.log(`listening on http://127.0.0.1:${typeof address === "object" ? address?.port : address}`)
})
