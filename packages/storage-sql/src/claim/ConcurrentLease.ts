import * as FairShare from "@frontdesk/core/background/FairShare"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Database } from "../storage/Database.ts"
import * as CandidateStatement from "./CandidateStatement.ts"
import * as ClaimRow from "./ClaimRow.ts"
import type { ClaimQueue } from "./ClaimQueue.ts"
import * as LeaseStatement from "./LeaseStatement.ts"

const LeasedRow = Schema.Struct({ ...ClaimRow.columns, leased: ClaimRow.Owned, eligible: Schema.Int })

/**
 * How often a claim repeats a statement that leased fewer rows than there were, because other claims leased them first.
 * Each repeat finds four times as many rows of each line, so it needs not wait for the other claims.
 */
const maxRepeats = 3

/** Returns the function that leases rows in a database with concurrent transactions (D-PG-16). */
export const make =
  (database: Database["Service"], operation: string, queue: ClaimQueue) =>
  (candidates: CandidateStatement.Candidates): ClaimRow.Lease => {
    const { dialect } = database
    const run = database.one(operation, LeasedRow)
    const text = LeaseStatement.make(dialect, queue, candidates)
    return Effect.fnUntraced(function* (request, walkParameters) {
      const leased: Array<ClaimRow.OwnedRow> = []
      for (let repeats = 0; ; repeats++) {
        const rest = { ...request, places: FairShare.afterTaking(request.places, leased, ClaimRow.owners) }
        const parameters = CandidateStatement.parameters(dialect, rest)
        const row = yield* run(text, [...parameters, ...walkParameters(rest.places, 4 ** repeats), ...request.lease])
        leased.push(...row.leased.map(ClaimRow.toOwned))
        if (row.leased.length >= row.eligible || repeats === maxRepeats) return { row, leased }
      }
    })
  }
