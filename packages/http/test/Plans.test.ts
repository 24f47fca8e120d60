import { PostgresStorage } from "@frontdesk/storage-postgres"
import * as Explain from "@frontdesk/test-postgres/Explain"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { makeAgent, makeTeam } from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import { expect, it } from "vitest"
import { askEverything } from "./everyOperation.ts"
import { absent } from "./tenancy.ts"
import { makeWorld } from "./world.ts"

/** Every statement that ran, with its parameters. */
const ran = new Map<string, ReadonlyArray<unknown>>()

const watched = Layer.succeed(Statement.CurrentTransformer, (statement) => {
  const [text, params] = statement.compile()
  if (/^(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text)) ran.set(text, params)
  return Effect.succeed(statement)
})

it("each statement of every operation can find its rows by an index of PostgreSQL", async () => {
  await Effect.gen(function* () {
    const url = Redacted.make(yield* TestDatabase.withTables)
    const storage = Layer.orDie(PostgresStorage.layer({ url, maxConnections: 4 }))
    const world = yield* Effect.acquireRelease(
      Effect.promise(() => makeWorld(Layer.merge(storage, watched))),
      (world) => Effect.promise(world.close)
    )
    yield* Effect.promise(async () => {
      const team = await world.run(makeTeam())
      const caller = await world.caller({ balance: 100, teamIds: [team.id] })
      const agent = await world.run(makeAgent(caller.account.id))
      await askEverything(caller, { ...absent, agent: String(agent.id) }, team.id)
    })
    expect(ran.size).toBeGreaterThan(60)
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const [text, params] of ran) {
        // Small tables are read from end to end unless that is forbidden.
        const plan = Effect.andThen(sql`SET LOCAL enable_seqscan = off`, Explain.generic(text, params))
        const allowed = text.includes("strpos(search_text") ? "contact" : "installation_secret"
        const scanned = Explain.scanned(yield* sql.withTransaction(plan)).filter((table) => table !== allowed)
        expect({ text, scanned }).toEqual({ text, scanned: [] })
      }
    }).pipe(Effect.provide(PostgresStorage.layerClient({ url, maxConnections: 1 })))
  }).pipe(Effect.scoped, Effect.runPromise)
})
