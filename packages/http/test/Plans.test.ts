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
import { requestEveryOperation } from "./everyOperation.ts"
import { absent } from "./operationRequests.ts"
import { makeTestApi } from "./testApi.ts"

/** The executed statements, with their parameters. */
const ran = new Map<string, ReadonlyArray<unknown>>()

const watched = Layer.succeed(Statement.CurrentTransformer, (statement) => {
  const [text, params] = statement.compile()
  if (/^(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text)) ran.set(text, params)
  return Effect.succeed(statement)
})

it("PostgreSQL can find rows by an index in each statement of every operation, except searches and reads of secrets", async () => {
  await Effect.gen(function* () {
    const url = Redacted.make(yield* TestDatabase.withTables)
    const storage = Layer.orDie(PostgresStorage.layer({ url, maxConnections: 4 }))
    const api = yield* Effect.acquireRelease(
      Effect.promise(() => makeTestApi(Layer.merge(storage, watched))),
      (api) => Effect.promise(api.close)
    )
    yield* Effect.promise(async () => {
      const team = await api.run(makeTeam())
      const caller = await api.caller({ balance: 100, teamIds: [team.id] })
      const agent = await api.run(makeAgent(caller.account.id))
      await requestEveryOperation(caller, { ...absent, agent: String(agent.id) }, team.id)
    })
    expect(ran.size).toBeGreaterThan(60)
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const [text, params] of ran) {
        // PostgreSQL scans small tables completely unless sequential scans are switched off.
        const plan = Effect.andThen(sql`SET LOCAL enable_seqscan = off`, Explain.generic(text, params))
        // A search reads all contacts of an account. The tables of the installation and of its secrets have a few rows.
        const allowed = text.includes("strpos(search_text") ? ["contact"] : ["installation", "installation_secret"]
        const scanned = Explain.scanned(yield* sql.withTransaction(plan)).filter((table) => !allowed.includes(table))
        expect({ text, scanned }).toEqual({ text, scanned: [] })
      }
    }).pipe(Effect.provide(PostgresStorage.layerClient({ url, maxConnections: 1 })))
  }).pipe(Effect.scoped, Effect.runPromise)
})
