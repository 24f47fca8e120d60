import { fileURLToPath } from "node:url"
import { nextStart } from "next/dist/cli/next-start.js"

await nextStart({ port: 0, hostname: "127.0.0.1" }, fileURLToPath(new URL("..", import.meta.url)))
