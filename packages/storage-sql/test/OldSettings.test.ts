import { describe, expect, it } from "@effect/vitest"
import { defaultSettings } from "@frontdesk/core/account/Accounts"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { databases } from "./databases.ts"

/** The settings that accounts of version 0.1.0 have, as they are stored. */
const old = {
  timeZone: "Europe/Berlin",
  workingHours: { mon: [["09:00", "17:00"]] },
  dateOverrides: {},
  slotIntervalMinutes: null,
  bufferBeforeMinutes: 0,
  bufferAfterMinutes: 15,
  minimumNoticeMinutes: 0,
  rejectConflicts: true,
  contactStatuses: ["new"],
  contactStages: null,
  pricePerMinute: 5,
  maxRunningCalls: 3
}

describe.each(databases)("settings that an older version has stored, in %s", (_, storage) => {
  it.effect(
    "lack the settings that were added since, which have the defaults of a new account until they are set",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const accounts = yield* AccountStore
        const account = yield* Samples.makeAccount()
        yield* sql`UPDATE account SET settings = ${JSON.stringify(old)} WHERE id = ${account.id}`
        const read = Effect.map(accounts.find(account.id), Option.getOrThrow)
        const { inboundIdentity, inboundContacts, agentContactFields, language } = defaultSettings
        const added = { inboundIdentity, inboundContacts, agentContactFields, language }
        expect((yield* read).settings).toEqual({ ...old, ...added })
        const settings = { ...(yield* read).settings, inboundIdentity: "trusted" as const, agentContactFields: [] }
        yield* accounts.update({ ...account, settings })
        expect((yield* read).settings).toEqual(settings)
      }).pipe(Effect.provide(storage))
  )
})
