import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import { LanguageTag } from "../values/LanguageTag.ts"
import { Money } from "../values/Money.ts"
import { TimeZone } from "../values/TimeZone.ts"
import { DateOverrides, WorkingHours } from "../values/WorkingHours.ts"
import { TeamId } from "./Team.ts"

/** Database id of an account. The contract calls it `user_id` (D-ACC-3). */
export const AccountId = DatabaseId.pipe(Schema.brand("AccountId"))

/** Database id of an account. */
export type AccountId = typeof AccountId.Type

/** The role of an account, which decides which agents the account sees (D-TEAM-3). */
export const AccountRole = Schema.Literals(["standard", "partner", "client"])

/** The role of an account. */
export type AccountRole = typeof AccountRole.Type

/** A number of minutes, at most a year of 365 days. */
const Minutes = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 525_600 }))

/**
 * How far an account trusts the number from which an inbound call comes. It can be forged.
 *
 * - `trusted`: the person is the contact of the number. Agents tell and change its personal data.
 * - `number_only`: the person is known by the number alone. The first name is used for the greeting, and appointments of the
 *   number can be named, moved and cancelled. Other fields of the contact are neither told nor changed.
 */
export const InboundIdentity = Schema.Literals(["trusted", "number_only"])

/** How far an account trusts the number from which an inbound call comes. */
export type InboundIdentity = typeof InboundIdentity.Type

/** Whether an inbound call from a number without a contact creates one (`create`), or has no contact (`known`). */
export const InboundContacts = Schema.Literals(["known", "create"])

/** Whether an inbound call from a number without a contact creates one. */
export type InboundContacts = typeof InboundContacts.Type

/** A field of a contact that an account may allow its agents to change. */
export const AgentContactField = Schema.Literals([
  "first_name",
  "last_name",
  "email",
  "company",
  "website",
  "address",
  "city",
  "state",
  "zip_code",
  "country"
])

/** A field of a contact that an account may allow its agents to change. */
export type AgentContactField = typeof AgentContactField.Type

/** The settings of an account (D-ACC-2). Durations are minutes. */
export const AccountSettings = Schema.Struct({
  timeZone: TimeZone,
  workingHours: WorkingHours,
  dateOverrides: DateOverrides,
  /** The time between the starts of two slots. Null: the duration of the requested slot. */
  slotIntervalMinutes: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1440 }))),
  /** The time before each busy interval in which no slot may lie. */
  bufferBeforeMinutes: Minutes,
  /** The time after each busy interval in which no slot may lie. */
  bufferAfterMinutes: Minutes,
  /** The minimum time from now until the start of a slot. */
  minimumNoticeMinutes: Minutes,
  /** Whether a calendar event is refused that overlaps another one (D-CAL-9). */
  rejectConflicts: Schema.Boolean,
  /** Null: any contact status of 1 to 50 characters. */
  contactStatuses: Schema.NullOr(Schema.Array(Schema.String)),
  /** Null: any contact stage of 1 to 50 characters. */
  contactStages: Schema.NullOr(Schema.Array(Schema.String)),
  pricePerMinute: Money.check(Schema.isGreaterThanOrEqualTo(0)),
  maxRunningCalls: Schema.Int.check(Schema.isGreaterThan(0)),
  inboundIdentity: InboundIdentity,
  inboundContacts: InboundContacts,
  /** The fields of a contact that the tool `update_contact` may change, each at most once. */
  agentContactFields: Schema.Array(AgentContactField).check(Schema.isUnique({ expected: "each field at most once" })),
  /** The language in which the tools of agents answer. */
  language: LanguageTag
})

/** The settings of an account. */
export type AccountSettings = typeof AccountSettings.Type

/** One customer of the installation. It owns agents, contacts, calendar events, calls, webhooks and money. */
export const Account = Schema.Struct({
  id: AccountId,
  name: Schema.String,
  role: AccountRole,
  /** The account that a client names as its partner, or null. It has no effect for the other roles. */
  partnerId: Schema.NullOr(AccountId),
  teamIds: Schema.Array(TeamId),
  settings: AccountSettings,
  createdAt: Schema.DateTimeUtc
})

/** One customer of the installation. */
export type Account = typeof Account.Type

/** The three sums from which {@link balance} is computed. */
export interface Funds {
  /** The sum of all deposits. */
  readonly deposits: Money
  /** The sum of the charges of all calls that have ended. */
  readonly charges: Money
  /** The sum that is reserved for calls that have not been settled. */
  readonly reservations: Money
}

/** Returns what an account can spend: deposits minus charges minus open reservations. It is never negative (D-BILL-4). */
export const balance = (funds: Funds): Money => Money.make(funds.deposits - funds.charges - funds.reservations)
