import * as FairShare from "@frontdesk/core/background/FairShare"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Database } from "../storage/Database.ts"
import * as CandidateStatement from "./CandidateStatement.ts"
import * as ClaimRow from "./ClaimRow.ts"
import type { ClaimQueue } from "./ClaimQueue.ts"

const CandidatesRow = Schema.Struct({ ...ClaimRow.columns, candidates: ClaimRow.Owned })

/** Returns the function that leases rows in the open transaction of a database whose transactions exclude each other. */
export const make =
  (database: Database["Service"], operation: string, queue: ClaimQueue) =>
  ({ columns, queries, select }: CandidateStatement.Candidates): ClaimRow.Lease => {
    const { dialect } = database
    const find = database.one(operation, CandidatesRow)
    const run = database.run(operation)
    const findText = `WITH RECURSIVE ${queries}
      SELECT (SELECT ${dialect.collect(["id", "account_id", "line"], "due_at, id")} FROM (${select}) AS candidate)
        AS candidates, ${columns}`
    const leaseText = `UPDATE ${queue.name} SET ${queue.lease((index) => `?${index + 2}`)}
      WHERE ${dialect.isOneOf("id", "?1")}`
    return Effect.fnUntraced(function* (request, walkParameters) {
      const parameters = CandidateStatement.parameters(dialect, request)
      const row = yield* find(findText, [...parameters, ...walkParameters(request.places, 1)])
      const leased = FairShare.choose(row.candidates.map(ClaimRow.toOwned), ClaimRow.owners, request.places)
      if (leased.length > 0) yield* run(leaseText, [JSON.stringify(leased.map(({ id }) => id)), ...request.lease])
      return { row, leased }
    })
  }
