import {
  type Account,
  AccountId,
  AccountRole,
  type AccountSettings,
  AgentContactField,
  InboundContacts,
  InboundIdentity
} from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import type { PatchOwnAccount } from "@frontdesk/core/account/OwnAccountInput"
import { fromDayNumber } from "@frontdesk/core/values/CalendarDate"
import { LanguageTag } from "@frontdesk/core/values/LanguageTag"
import { Money } from "@frontdesk/core/values/Money"
import * as DateTime from "effect/DateTime"
import * as fc from "fast-check"
import { dateOverrides, timeZone, workingHours } from "./availability.ts"

const minutes = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max })

const choices = fc.option(fc.array(fc.constantFrom("new", "open", "won", "lost"), { minLength: 1, maxLength: 4 }))

/** The arbitraries of the settings that an account changes itself, by their names. */
const ownSettings = {
  timeZone: timeZone(),
  workingHours: workingHours().map((hours) => ({ mon: [], ...hours })),
  dateOverrides: dateOverrides({ from: fromDayNumber(20_000), days: 30 }),
  slotIntervalMinutes: fc.option(fc.integer({ min: 1, max: 1_440 })),
  bufferBeforeMinutes: minutes(120),
  bufferAfterMinutes: minutes(120),
  minimumNoticeMinutes: minutes(10_000),
  rejectConflicts: fc.boolean(),
  contactStatuses: choices,
  contactStages: choices,
  inboundIdentity: fc.constantFrom(...InboundIdentity.literals),
  inboundContacts: fc.constantFrom(...InboundContacts.literals),
  agentContactFields: fc.subarray([...AgentContactField.literals]),
  language: fc.constantFrom("en", "pt-BR", "de").map((tag) => LanguageTag.make(tag))
}

/** Generates the settings of an account. */
export const accountSettings = (): fc.Arbitrary<AccountSettings> =>
  fc.record({
    ...ownSettings,
    pricePerMinute: fc.nat().map((amount) => Money.make(amount)),
    maxRunningCalls: fc.integer({ min: 1, max: 1_000 })
  })

/** Generates an account. */
export const account = (): fc.Arbitrary<Account> =>
  fc.record({
    id: fc.integer({ min: 1, max: 1_000 }).map((id) => AccountId.make(id)),
    name: fc.string({ minLength: 1, maxLength: 40 }),
    role: fc.constantFrom(...AccountRole.literals),
    partnerId: fc.option(fc.integer({ min: 1, max: 1_000 }).map((id) => AccountId.make(id))),
    teamIds: fc.uniqueArray(
      fc.integer({ min: 1, max: 100 }).map((id) => TeamId.make(id)),
      { maxLength: 4 }
    ),
    settings: accountSettings(),
    createdAt: fc.nat().map((seconds) => DateTime.makeUnsafe(seconds * 1_000))
  })

/** Generates changes that an account makes to itself: any of the fields, or none. */
export const accountPatch = (): fc.Arbitrary<PatchOwnAccount> =>
  fc.record({ name: fc.constantFrom("Acme", "Zoë's", "日本"), ...ownSettings }, { requiredKeys: [] })
