import * as Launch from "../launch.ts"
import { document } from "./Installation.ts"

/** A running server. */
export interface FuzzServer {
  readonly url: string
  /** The lines of its log that are errors, and how it ended if it did not end well. */
  readonly stop: () => Promise<ReadonlyArray<string>>
}

/** Provisions a new database and starts a server on it. */
export const start = async (folder: string, databaseUrl: string): Promise<FuzzServer> => {
  const database = { FRONTDESK_DATABASE_URL: databaseUrl }
  await Launch.provision(folder, document, database)
  const { stop, url } = await Launch.serve(folder, {
    settings: {
      ...database,
      FRONTDESK_LOG_LEVEL: "info",
      FRONTDESK_RATE_LIMIT: "off",
      FRONTDESK_SIMULATED_CALL_PACE: "0",
      FRONTDESK_WEBHOOK_ALLOW_INSECURE: "true",
      // The server shares its thread with the requests and their judge, which may keep an answer waiting for seconds.
      ...(databaseUrl.startsWith("postgres:") && { FRONTDESK_DATABASE_STATEMENT_TIMEOUT: "60 seconds" })
    }
  })
  return {
    url,
    stop: async () => {
      const { code, stderr } = await stop()
      const errors = stderr.split("\n").filter((line) => /"level":"(ERROR|FATAL)"/i.test(line))
      return [...errors.map((line) => line.slice(0, 2_000)), ...(code === 0 ? [] : [`The server ended with ${code}`])]
    }
  }
}
