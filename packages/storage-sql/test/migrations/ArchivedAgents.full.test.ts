import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { emptyDatabases } from "../databases.ts"
import { fill } from "./FilledDatabase.ts"
import * as OldSchema from "./OldSchema.ts"

describe.each(emptyDatabases)("the migration to archived agents, on %s", (_, emptyDatabase) => {
  it.live("existing agents are not archived and can be archived, and those with calls cannot be deleted", () =>
    Effect.gen(function* () {
      const { client, storage } = yield* emptyDatabase
      yield* Effect.gen(function* () {
        yield* Effect.andThen(OldSchema.migrateTo(20), fill)
        yield* OldSchema.migrateTo(30)
        yield* SqlMigrations.migrate
        expect(yield* indexes).toEqual(["calendar_event_of_agent", "call_of_agent"])
      }).pipe(Effect.provide(client))
      yield* Effect.gen(function* () {
        const agents = yield* AgentStore
        const scope = { accountIds: [AccountId.make(1)], teamIds: [] }
        const [agent] = yield* agents.list(scope)
        if (agent === undefined) return expect.fail("there is no agent")
        expect(agent.archivedAt).toBeNull()
        expect(yield* agents.delete(agent.id)).toBe(false)
        const archived = { ...agent, archivedAt: Samples.now }
        yield* agents.update(archived)
        expect(yield* agents.find(scope, { id: agent.id })).toEqual(Option.some(archived))
      }).pipe(Effect.provide(storage))
    }).pipe(Effect.scoped)
  )
})

/** Returns the names of the indexes of the migration that exist, and in PostgreSQL only those that are valid. */
const indexes = Effect.gen(function* () {
  const sql = yield* SqlClient
  const names = new Set(["call_of_agent", "calendar_event_of_agent"])
  const found = yield* sql.onDialectOrElse({
    pg: () =>
      sql<{
        name: string
      }>`SELECT CAST(relname AS text) AS name FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid
        WHERE indisvalid AND relnamespace = to_regnamespace(current_schema()) ORDER BY relname`,
    orElse: () => sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name`
  })
  return found.map(({ name }) => name).filter((name) => names.has(name))
})
