import process from "node:process"
import type { TestProject } from "vitest/node"
import * as PostgresServer from "./PostgresServer.ts"

let server: PostgresServer.PostgresServer | undefined

/**
 * Starts the server that all tests share, unless `FRONTDESK_TEST_POSTGRES_URL` names one whose user may create
 * databases.
 */
export const setup = async ({ provide }: TestProject): Promise<void> => {
  const given = process.env["FRONTDESK_TEST_POSTGRES_URL"] ?? ""
  if (given === "") server = await PostgresServer.make()
  provide("postgresUrl", server?.url ?? given)
}

/** Ends the server that was started. */
export const teardown = async (): Promise<void> => server?.remove()
