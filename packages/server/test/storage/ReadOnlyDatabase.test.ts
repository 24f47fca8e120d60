import { execFileSync } from "node:child_process"
import { appendFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, describe, expect, it } from "vitest"
import { acme, ask } from "../support/acme.ts"
import { provision, serve } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"

const folder = temporaryFolder()

/** Whether the test could mount a file system of 4 MB on the folder, which requires root. */
const isMounted = (() => {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()
afterAll(() => {
  if (isMounted) execFileSync("umount", ["-l", folder])
})

const event = { title: "x", start_time: "2030-01-01T10:00:00", end_time: "2030-01-01T11:00:00" }

const health = async (url: string) => {
  const answer = await fetch(`${url}/health`)
  return [answer.status, await answer.json()]
}

const reason = isMounted ? "" : " (skipped: mounting needs root)"

describe(`a server whose disk is full${reason}`, () => {
  it.skipIf(!isMounted)("answers reads, answers 503 to writes and GET /health, and recovers", async () => {
    await provision(folder, acme)
    const server = await serve(folder)
    expect(await health(server.url)).toMatchObject([200, { status: "ok" }])
    const filler = join(folder, "filler")
    writeFileSync(filler, "")
    expect(() => {
      while (true) appendFileSync(filler, Buffer.alloc(4_096))
    }).toThrow("ENOSPC")

    await expect
      .poll(async () => (await ask(server.url, "/api/v1/calendar/events/create", event)).status, { timeout: 20_000 })
      .toBe(503)
    await expect.poll(() => health(server.url), { timeout: 20_000 }).toMatchObject([503, { status: "read_only" }])
    for (const path of ["/api/v1/agents", "/api/v1/calls", "/api/v1/calendar/events"]) {
      expect((await ask(server.url, path)).status).toBe(200)
    }

    rmSync(filler)
    await expect.poll(() => health(server.url), { timeout: 20_000 }).toMatchObject([200, { status: "ok" }])
    expect((await ask(server.url, "/api/v1/calendar/events/create", event)).status).toBe(201)
  })
})

/** Begins a writing transaction. Returns false when another connection has one. */
const isLockedBy = (database: DatabaseSync): boolean => {
  try {
    database.exec("BEGIN IMMEDIATE")
    return true
  } catch {
    return false
  }
}

describe("a server whose database another process has locked", () => {
  it("answers reads, and GET /health reports read_only until the lock ends (D-SRV-16)", async () => {
    const locked = temporaryFolder()
    await provision(locked, acme)
    const server = await serve(locked)
    const other = new DatabaseSync(join(locked, "data/frontdesk.db"))
    // The server runs in this process and may still be committing what it wrote at its start, so waiting must not block it.
    await expect.poll(() => isLockedBy(other), { interval: 1 }).toBe(true)
    expect(await health(server.url)).toMatchObject([503, { status: "read_only" }])
    expect((await ask(server.url, "/api/v1/agents")).status).toBe(200)
    other.exec("ROLLBACK")
    other.close()
    await expect.poll(() => health(server.url), { timeout: 20_000 }).toMatchObject([200, { status: "ok" }])
  })
})
