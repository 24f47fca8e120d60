import { createServer } from "node:http"
import process from "node:process"

const port = Number(process.argv[process.argv.indexOf("--port") + 1])

createServer((_, response) => void response.end()).listen(port, "127.0.0.1")
