import { Frontdesk } from "@frontdesk/embed"
import type { Client } from "./Client.ts"
import { document } from "./Installation.ts"
import type { Target } from "./Run.ts"

/** Starts the API in this process, with everything in memory and without sockets. */
export const start = async (): Promise<Target> => {
  const errors: Array<string> = []
  const frontdesk = await Frontdesk.open({
    storage: { memory: true },
    workers: false,
    webhooks: { allowInsecure: true },
    callProvider: { simulated: { pace: 0 } },
    logger: {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (...values) => errors.push(values.map(String).join(" "))
    }
  })
  await frontdesk.provision(document)
  const handle = frontdesk.fetch({ rateLimit: null })
  const send: Client["send"] = async ({ authorization }, { body = null, headers, method, target }) => {
    const response = await handle(
      new Request(`http://localhost${target}`, {
        method,
        headers: { ...headers, ...(authorization !== null && { authorization }) },
        body: body === null ? null : new Uint8Array(body)
      })
    )
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
  }
  return {
    client: { send },
    stop: async () => {
      await frontdesk.close()
      return errors
    }
  }
}
