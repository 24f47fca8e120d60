import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, inject, it } from "vitest"
import * as WorldDatabase from "./WorldDatabase.ts"

it("hasLeft waits for a statement that PostgreSQL commits after its client was killed", async () => {
  const database = await WorldDatabase.postgres(inject("postgresUrl"))
  try {
    await database.rows("CREATE TABLE late (one integer)")
    const program = join(import.meta.dirname, "lateStatement.ts")
    const child = spawn(process.execPath, [program, database.urlAs("life 1")], { stdio: ["ignore", "pipe", "inherit"] })
    await once(child.stdout, "data")
    // In this time the program sends its statement, which takes a second.
    await sleep(200)
    child.kill("SIGKILL")
    await once(child, "exit")
    // No session has this name, so the call returns at once.
    await database.hasLeft("life 2")
    expect(await database.rows("SELECT one FROM late")).toEqual([])
    await database.hasLeft("life 1")
    expect(await database.rows("SELECT one FROM late")).toEqual([{ one: 1 }])
  } finally {
    await database.close()
  }
}, 60_000)
