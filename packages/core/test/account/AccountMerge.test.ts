import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import * as AccountMerge from "@frontdesk/core/account/AccountMerge"
import { PatchOwnAccount } from "@frontdesk/core/account/OwnAccountInput"
import { defaultSettings } from "@frontdesk/core/account/Accounts"
import { newAccount } from "@frontdesk/testing/suite/Samples"
import * as arbitrary from "@frontdesk/testing/arbitrary/account"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as fc from "fast-check"

const acme = { ...newAccount(), id: AccountId.make(1) }

describe("AccountMerge", () => {
  it("a PATCH sets the given fields, clears with null, and keeps the others (D-ACC-5)", () => {
    const settings = { ...defaultSettings, slotIntervalMinutes: 15, bufferAfterMinutes: 5 }
    const after = AccountMerge.patch({ ...acme, settings }, { name: "Acme Inc.", slotIntervalMinutes: null })
    expect(after).toEqual({ ...acme, name: "Acme Inc.", settings: { ...settings, slotIntervalMinutes: null } })
  })

  it("working hours and date overrides are replaced as a whole", () => {
    const after = AccountMerge.patch(acme, { workingHours: { sat: [["10:00", "12:00"]] }, dateOverrides: {} })
    expect(after.settings.workingHours).toEqual({ sat: [["10:00", "12:00"]] })
  })
})

describe("laws of AccountMerge", () => {
  const given = fc.tuple(arbitrary.account(), arbitrary.accountPatch(), arbitrary.accountPatch())

  it("each field has the given value, or else its present one, and nothing else changes", () => {
    fc.assert(
      fc.property(given, ([account, changes]) => {
        const after = AccountMerge.patch(account, changes)
        const { name = account.name, ...settings } = changes
        expect(after).toEqual({ ...account, name, settings: { ...account.settings, ...settings } })
      })
    )
  })

  it("changes of different fields have the same result in any order, and as one PATCH", () => {
    fc.assert(
      fc.property(given, ([account, first, second]) => {
        const others = Struct.omit(second, Struct.keys(first))
        const left = AccountMerge.patch(AccountMerge.patch(account, first), others)
        expect(left).toEqual(AccountMerge.patch(AccountMerge.patch(account, others), first))
        expect(left).toEqual(AccountMerge.patch(account, { ...first, ...others }))
      })
    )
  })

  it("a repeated PATCH changes nothing", () => {
    fc.assert(
      fc.property(given, ([account, changes]) => {
        const once = AccountMerge.patch(account, changes)
        expect(AccountMerge.patch(once, changes)).toEqual(once)
      })
    )
  })

  it("every generated PATCH is a valid input", () => {
    const isPatch = Schema.is(Schema.toType(PatchOwnAccount))
    fc.assert(fc.property(arbitrary.accountPatch(), (changes) => isPatch(changes)))
  })
})
