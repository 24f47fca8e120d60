import type { AuditedKind } from "../audit/AuditTrail.ts"
import * as Money from "../values/Money.ts"
import type { Account, AccountId, AccountSettings } from "./Account.ts"

/** An account with its settings among its fields, as the API shows it. */
export type AuditedAccount = Omit<Account, "settings"> & AccountSettings

/** Returns an account with its settings among its fields. */
export const of = ({ settings, ...account }: Account): AuditedAccount => ({ ...account, ...settings })

/** Accounts in the audit log, see {@link of}. They belong to organisations, so nothing of them is personal. */
export const kind: AuditedKind<AuditedAccount> = {
  type: "account",
  accountIdOf: ({ id }) => id,
  idOf: () => null,
  rules: {
    id: "ignored",
    name: "shown",
    role: "shown",
    partnerId: "shown",
    teamIds: "shown",
    createdAt: "ignored",
    timeZone: "shown",
    workingHours: "shown",
    dateOverrides: "shown",
    slotIntervalMinutes: "shown",
    bufferBeforeMinutes: "shown",
    bufferAfterMinutes: "shown",
    minimumNoticeMinutes: "shown",
    rejectConflicts: "shown",
    contactStatuses: "shown",
    contactStages: "shown",
    pricePerMinute: { name: "price_per_minute", show: (price) => price / Money.scale },
    maxRunningCalls: "shown",
    inboundIdentity: "shown",
    inboundContacts: "shown",
    agentContactFields: "shown",
    language: "shown"
  }
}

/** Returns an account for an entry that is about something else than its fields. */
export const audited = (accountId: AccountId) => ({ accountId, type: "account" as const, id: null })
