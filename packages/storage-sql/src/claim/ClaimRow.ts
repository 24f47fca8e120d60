import { AccountId } from "@frontdesk/core/access/Account"
import type * as FairShare from "@frontdesk/core/background/FairShare"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import type { ClaimRequest, Line } from "./ClaimQueue.ts"

const Line = Schema.Union([Schema.Int, Schema.String])

/** The columns that every statement of a claim returns (`CandidateStatement.Candidates`). */
export const columns = {
  isLonger: Column.Flag,
  lastAccount: Schema.NullOr(Schema.Int),
  lastLine: Schema.NullOr(Line),
  isSomeWaiting: Column.Flag
}

/** Rows with the owners of their places, as one column. */
export const Owned = Column.json(Schema.Array(Schema.Tuple([Schema.Int, AccountId, Line])))

/** A row with the owners of its place. */
export interface OwnedRow {
  readonly id: number
  readonly accountId: AccountId
  /** The key of its line. */
  readonly line: Line
}

/** Returns a row of {@link Owned}. */
export const toOwned = ([id, accountId, line]: (typeof Owned.Type)[number]): OwnedRow => ({ id, accountId, line })

/** The owners of the place of a row. */
export const owners: FairShare.Owners<OwnedRow, AccountId, Line> = {
  account: ({ accountId }) => accountId,
  line: ({ line }) => line
}

/**
 * Leases rows with one statement. `walkParameters` returns the further parameters of a walk that finds `factor` times as
 * many rows of each line as a claim needs.
 */
export type Lease = (
  request: ClaimRequest,
  walkParameters: (places: ClaimRequest["places"], factor: number) => ReadonlyArray<unknown>
) => Effect.Effect<
  {
    readonly row: {
      readonly isLonger: boolean
      readonly lastAccount: number | null
      readonly lastLine: Line | null
      readonly isSomeWaiting: boolean
    }
    readonly leased: ReadonlyArray<OwnedRow>
  },
  StorageError
>
