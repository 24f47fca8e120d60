import { describe, expect, it } from "@effect/vitest"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import * as Property from "@frontdesk/testing/Property"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as fc from "fast-check"
import { databases } from "./databases.ts"

describe.each(databases)("the row counts that triggers maintain, in %s", (_, storage) => {
  it.effect("law: the counts equal the numbers of rows after any inserts, updates and deletes (D-STO-7)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const accounts = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
      const teams = [yield* Samples.makeTeam(), yield* Samples.makeTeam()]
      const command = fc.record({
        action: fc.constantFrom("make", "change", "delete"),
        row: fc.nat(20),
        account: fc.constantFrom(...accounts),
        team: fc.constantFrom(null, ...teams),
        status: fc.constantFrom("new", "won"),
        stage: fc.constantFrom("lead", "customer")
      })
      yield* Property.forAll(
        fc.array(command, { maxLength: 20 }),
        Effect.fnUntraced(function* (commands) {
          const contacts = yield* ContactStore
          yield* sql`DELETE FROM contact`
          for (const { account, action, row, stage, status, team } of commands) {
            const ids = yield* sql<{ id: number | bigint }>`SELECT id FROM contact ORDER BY id`
            const id = ids.at(row % Math.max(1, ids.length))?.id
            if (action === "make" || id === undefined) {
              yield* contacts.insert(Samples.newContact(account.id, { team, status, stage }))
            } else if (action === "change") {
              yield* sql`UPDATE contact SET team_id = ${team?.id}, status = ${status}, stage = ${stage} WHERE id = ${id}`
            } else {
              yield* sql`DELETE FROM contact WHERE id = ${id}`
            }
          }
          const stored = yield* sql`SELECT account_id, team_id, status, type, CAST(sum(total) AS bigint) AS total
            FROM row_count WHERE kind = 'contact' GROUP BY account_id, team_id, status, type
            HAVING sum(total) <> 0 ORDER BY account_id, team_id, status, type`
          const counted = yield* sql`SELECT account_id, coalesce(team_id, 0) AS team_id, status, stage AS type,
              count(*) AS total
            FROM contact GROUP BY account_id, team_id, status, stage ORDER BY account_id, 2, status, stage`
          expect(stored).toEqual(counted)
        })
      )
    }).pipe(Effect.provide(storage))
  )
})
