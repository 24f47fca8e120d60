import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { Frontdesk } from "@frontdesk/embed"
import { withDatabase } from "@frontdesk/test-postgres/withDatabase"
import { Pool } from "pg"
import { describe, expect, it } from "vitest"
import { silent } from "./opened.ts"

const readOnlyFiles = fileURLToPath(new URL("readOnlyFiles.ts", import.meta.url))

const role = "embed_guest"

/** Runs a test with a pool of the owner of a database, and a function that opens it as a role without rights. */
const withGuest = (
  test: (owner: Pool, openAsGuest: () => Promise<ReadonlyArray<unknown>>) => Promise<void>
): Promise<void> =>
  withDatabase(async (url) => {
    const owner = new Pool({ connectionString: url })
    await owner.query(`DROP ROLE IF EXISTS ${role}; CREATE ROLE ${role} LOGIN PASSWORD 'right'`)
    const guest = new URL(url)
    guest.username = role
    guest.password = "right"
    try {
      await test(owner, async () => {
        const pool = new Pool({ connectionString: guest.href })
        const storages = [{ url: guest.href }, { pool }]
        const outcomes = await Promise.all(
          storages.map(async (postgres) => {
            const opening = Frontdesk.open({ storage: { postgres }, workers: false, logger: silent })
            return opening.then(
              (frontdesk) => frontdesk.close().then(() => "opened"),
              (error: unknown) => error
            )
          })
        )
        await pool.end()
        return outcomes
      })
    } finally {
      await owner.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`)
      await owner.end()
    }
  })

/** Expects that no error is retryable, and that each message matches. */
const expectMissing = (errors: ReadonlyArray<unknown>, message: RegExp): void => {
  expect(errors).toHaveLength(2)
  for (const error of errors) {
    expect(error).toMatchObject({ code: "server_error", retryable: false })
    expect(String(error)).toMatch(message)
  }
}

describe("Frontdesk.open on PostgreSQL, with a URL and with a pool", () => {
  it("names each right that the role lacks, and is not retryable", () =>
    withGuest(async (owner, openAsGuest) => {
      const database = new URL(String(owner.options.connectionString)).pathname.slice(1)
      expectMissing(
        await openAsGuest(),
        /the role may not create the schema frontdesk; create it for the role, or grant it CREATE on the database$/
      )
      await owner.query("CREATE SCHEMA frontdesk")
      expectMissing(await openAsGuest(), /the role may not use the schema frontdesk; grant it USAGE$/)
      await owner.query(`GRANT USAGE ON SCHEMA frontdesk TO ${role}`)
      expectMissing(await openAsGuest(), /the role embed_guest cannot create tables in the schema frontdesk/)
      const frontdesk = await Frontdesk.open({ storage: { postgres: { pool: owner } }, workers: false })
      await frontdesk.close()
      expectMissing(
        await openAsGuest(),
        /permission denied for table \w+\. Grant the role SELECT, INSERT, UPDATE and DELETE on the tables/
      )
      await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA frontdesk TO ${role}`)
      expect(await openAsGuest()).toEqual(["opened", "opened"])
      await owner.query("DELETE FROM frontdesk.frontdesk_migration WHERE migration_id > 1")
      expectMissing(await openAsGuest(), /Only their owner can migrate them$/)
      await owner.query(`REVOKE CONNECT ON DATABASE ${database} FROM PUBLIC`)
      expectMissing(await openAsGuest(), /permission denied for database .* Grant the role CONNECT on the database$/)
    }))

  it("is not retryable for a role that may not log in", () =>
    withGuest(async (owner, openAsGuest) => {
      await owner.query(`ALTER ROLE ${role} NOLOGIN`)
      expectMissing(await openAsGuest(), /role "embed_guest" is not permitted to log in$/)
    }))
})

describe("Frontdesk.open on SQLite", () => {
  it("names a file or folder that the user may not read or write, and is not retryable", async () => {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-embed-"))
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [readOnlyFiles, folder])
      const lines = stdout.trimEnd().split("\n")
      const expected: ReadonlyArray<readonly [file: string, reason: string]> = [
        ["file.db", "attempt to write a readonly database"],
        ["unreadable.db", "EACCES: permission denied, access"],
        ["folder/file.db", "attempt to write a readonly database"],
        ["folder/new.db", "EACCES: permission denied, open"],
        ["folder/new/new.db", "EACCES: permission denied, mkdir"]
      ]
      expect(lines).toHaveLength(expected.length)
      for (const [index, [file, reason]] of expected.entries()) {
        expect(lines[index]).toMatch(
          `server_error false The storage cannot be opened (${join(folder, file)}): ${reason}`
        )
        expect(lines[index]).toMatch(/The user of the process must be able to read and write the file and its folder$/)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
