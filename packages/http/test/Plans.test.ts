import { PostgresStorage } from "@frontdesk/storage-postgres"
import * as Explain from "@frontdesk/test-postgres/Explain"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { makeAgent, makeTeam } from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Statement from "effect/sql/Statement"
import { expect, it } from "vitest"
import { requestEveryOperation } from "./everyOperation.ts"
import { absent } from "./operationRequests.ts"
import { makeTestApi } from "./testApi.ts"

/** The executed statements, with the number of their parameters. */
const ran = new Map<string, number>()

const watched = Layer.succeed(Statement.CurrentTransformer, (statement) => {
  const [text, params] = statement.compile()
  if (/^(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text)) ran.set(text, params.length)
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
    const found = yield* Explain.scannedAnyway(ran).pipe(
      Effect.provide(PostgresStorage.layerClient({ url, maxConnections: 1 }))
    )
    for (const [text, tables] of found) {
      // A search reads all contacts of an account. The tables of the installation and of its secrets have a few rows.
      const allowed = text.includes("strpos(search_text") ? ["contact"] : ["installation", "installation_secret"]
      const scanned = tables.filter((table) => !allowed.includes(table))
      expect({ text, scanned }).toEqual({ text, scanned: [] })
    }
  }).pipe(Effect.scoped, Effect.runPromise)
})
