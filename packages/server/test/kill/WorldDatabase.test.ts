import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import process from "node:process"
import { expect, inject, it } from "vitest"
import * as WorldDatabase from "./WorldDatabase.ts"

it("hasLeft waits for a statement that PostgreSQL commits after its client was killed", async () => {
  const database = await WorldDatabase.postgres(inject("postgresUrl"))
  try {
    await database.rows("CREATE TABLE late (one integer)")
    await database.rows("CREATE TABLE gate (one integer)")
    const program = join(import.meta.dirname, "lateStatement.ts")
    const child = spawn(process.execPath, [program, database.urlAs("life 1")], { stdio: "inherit" })
    const running = "SELECT FROM pg_stat_activity WHERE application_name = 'life 1' AND query LIKE 'DO %'"
    await expect.poll(() => database.rows(running)).toHaveLength(1)
    child.kill("SIGKILL")
    await once(child, "exit")
    let isOver = false
    const left = database.hasLeft("life 1").then(() => (isOver = true))
    // No session has this name, so the call returns at once.
    await database.hasLeft("life 2")
    expect([isOver, await database.rows("SELECT one FROM late")]).toEqual([false, []])
    await database.rows("INSERT INTO gate VALUES (1)")
    await left
    expect(await database.rows("SELECT one FROM late")).toEqual([{ one: 1 }])
  } finally {
    await database.close()
  }
}, 60_000)
