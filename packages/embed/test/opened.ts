import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Frontdesk, type FrontdeskOptions, type StorageOptions } from "@frontdesk/embed"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { withDatabase } from "@frontdesk/test-postgres/withDatabase"

/** The provisioning document of the tests: two accounts, and an agent of the first. */
export const document = {
  accounts: [
    {
      ref: "acme",
      name: "Acme",
      time_zone: "America/New_York",
      balance: 100,
      price_per_minute: 0.1,
      agents: [{ ref: "ada", name: "Ada", assistant_id: "asst_ada", phone_number: "+12025550100" }]
    },
    { ref: "other", name: "Other" }
  ]
}

/** A logger that writes nothing. */
export const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Runs a test on an open Frontdesk without workers and with the accounts of {@link document}, and closes it. */
export const withFrontdesk = async (
  test: (frontdesk: Frontdesk) => Promise<void>,
  options: Partial<FrontdeskOptions> = {}
): Promise<void> => {
  const frontdesk = await Frontdesk.open({ storage: { memory: true }, workers: false, ...options })
  try {
    await frontdesk.provision(document)
    await test(frontdesk)
  } finally {
    await frontdesk.close()
  }
}

type Test = (storage: StorageOptions) => Promise<void>

/** Runs a test with the options of each storage, new for the test. */
export const storages = {
  memory: (test: Test) => test({ memory: true }),
  SQLite: async (test: Test) => {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-embed-"))
    try {
      await test({ sqlite: join(folder, "frontdesk.db") })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  PostgreSQL: (test: Test) =>
    withDatabase((url) => test({ postgres: { url, maxConnections: 2 } }), TestDatabase.withTablesInSchema("frontdesk"))
}
