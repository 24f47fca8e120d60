import { type OutgoingHttpHeaders, request } from "node:http"

/** Returns the status and the body of the answer to a GET with this target, which `fetch` would change. */
export const askFor = (server: string, target: string, headers: OutgoingHttpHeaders): Promise<string> =>
  new Promise((resolve, reject) => {
    const asking = request(server, { path: target, headers, agent: false }, (answer) => {
      let text = `${answer.statusCode} `
      answer.on("data", (chunk) => (text += String(chunk)))
      answer.on("end", () => resolve(text))
    })
    asking.on("error", reject)
    asking.end()
  })
