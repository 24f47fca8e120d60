import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import { Money } from "../values/Money.ts"
import { TimeZone } from "../values/TimeZone.ts"
import { DateOverrides, WorkingHours } from "../values/WorkingHours.ts"
import { TeamId } from "./Team.ts"

/** Database id of an account; what the contract calls `user_id`. */
export const AccountId = DatabaseId.pipe(Schema.brand("AccountId"))

/** Database id of an account. */
export type AccountId = typeof AccountId.Type

/** What kind of account it is; decides which agents it sees (D-TEAM-3). */
export const AccountRole = Schema.Literals(["standard", "partner", "client"])

/** What kind of account it is. */
export type AccountRole = typeof AccountRole.Type

const Minutes = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 525_600 }))

/** The settings of an account (D-ACC-2). Durations are minutes. */
export const AccountSettings = Schema.Struct({
  timeZone: TimeZone,
  workingHours: WorkingHours,
  dateOverrides: DateOverrides,
  /** Null: as long as the slot asked for. */
  slotIntervalMinutes: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1440 }))),
  bufferBeforeMinutes: Minutes,
  bufferAfterMinutes: Minutes,
  minimumNoticeMinutes: Minutes,
  rejectConflicts: Schema.Boolean,
  /** Null: any contact status of 1 to 50 characters. */
  contactStatuses: Schema.NullOr(Schema.Array(Schema.String)),
  /** Null: any contact stage of 1 to 50 characters. */
  contactStages: Schema.NullOr(Schema.Array(Schema.String)),
  pricePerMinute: Money.check(Schema.isGreaterThanOrEqualTo(0)),
  maxRunningCalls: Schema.Int.check(Schema.isGreaterThan(0))
})

/** The settings of an account. */
export type AccountSettings = typeof AccountSettings.Type

/** The tenant everything belongs to. */
export const Account = Schema.Struct({
  id: AccountId,
  name: Schema.String,
  role: AccountRole,
  /** The partner account of a client; null otherwise. */
  partnerId: Schema.NullOr(AccountId),
  teamIds: Schema.Array(TeamId),
  settings: AccountSettings,
  createdAt: Schema.DateTimeUtc
})

/** The tenant everything belongs to. */
export type Account = typeof Account.Type

/** The three sums a balance is made of; each only ever moves by one call, deposit or reservation. */
export interface Funds {
  readonly deposits: Money
  readonly charges: Money
  /** What is reserved for calls that have not been settled. */
  readonly reservations: Money
}

/** What may be spent: deposits minus charges minus open reservations; never negative (D-BILL-4). */
export const balance = (funds: Funds): Money => Money.make(funds.deposits - funds.charges - funds.reservations)
