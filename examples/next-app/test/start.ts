import { createServer, type AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { nextStart } from "next/dist/cli/next-start.js"

// `next start` needs a port that is free.
const server = createServer()
await new Promise<void>((resolve) => void server.listen(0, resolve))
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A TCP port.
const { port } = server.address() as AddressInfo
await new Promise((resolve) => void server.close(resolve))
await nextStart({ port, hostname: "127.0.0.1" }, fileURLToPath(new URL("..", import.meta.url)))
