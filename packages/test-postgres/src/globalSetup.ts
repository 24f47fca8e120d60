import process from "node:process"
import type { TestProject } from "vitest/node"
import * as PostgresServer from "./PostgresServer.ts"

/**
 * Starts the server that all tests share, unless `FRONTDESK_TEST_POSTGRES_URL` names one whose user may create
 * databases.
 */
export default async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env["FRONTDESK_TEST_POSTGRES_URL"]
  if (given !== undefined && given !== "") {
    provide("postgresUrl", given)
    return undefined
  }
  const server = await PostgresServer.make()
  provide("postgresUrl", server.url)
  return server.remove
}
