import { describe, expect, it } from "@effect/vitest"
import { AccountSettings, balance } from "@frontdesk/core/access/Account"
import { AccountName, Deposit, SettingsInput } from "@frontdesk/core/account/AccountInput"
import { defaultSettings } from "@frontdesk/core/account/Accounts"
import { Money } from "@frontdesk/core/values/Money"
import * as Schema from "effect/Schema"

describe("AccountInput", () => {
  const isStored = Schema.is(Schema.toType(AccountSettings))
  const isInput = Schema.is(Schema.toType(SettingsInput))

  it("the name of an account has 1 to 200 characters and is not blank (D-SETUP-2)", () => {
    expect(["x", "x".repeat(200)].map(Schema.is(AccountName))).toEqual([true, true])
    expect(["", " ", "x".repeat(201)].map(Schema.is(AccountName))).toEqual([false, false, false])
  })

  it.each([
    ["bufferBeforeMinutes", [0, 525_600], [-1, 525_601, 0.5]],
    ["bufferAfterMinutes", [0, 525_600], [-1, 525_601, 0.5]],
    ["minimumNoticeMinutes", [0, 525_600], [-1, 525_601, 0.5]],
    ["slotIntervalMinutes", [null, 1, 1_440], [0, 1_441, 1.5]],
    ["pricePerMinute", [0, 1], [-1]],
    ["maxRunningCalls", [1], [0, -1, 1.5]],
    ["inboundIdentity", ["trusted", "number_only"], ["none", "", null, true]],
    ["inboundContacts", ["known", "create"], ["none", "", null, true]],
    [
      "agentContactFields",
      [[], ["country"], ["zip_code", "first_name"]],
      [["first_name", "first_name"], ["firstName"], ["phone_numbers"], ["status"], [""], "first_name", null]
    ],
    ["language", ["en", "pt-BR"], ["", "english", "en_US", "pt-br", null]]
  ])("the setting %s accepts %j and rejects %j (D-ACC-2)", (name, valid, invalid) => {
    for (const value of valid) expect([value, isStored({ ...defaultSettings, [name]: value })]).toEqual([value, true])
    for (const value of invalid)
      expect([value, isStored({ ...defaultSettings, [name]: value })]).toEqual([value, false])
  })

  it.each(["contactStatuses", "contactStages"])("the list %s has at least one entry of 1 to 50 characters", (name) => {
    const accepts = (list: ReadonlyArray<string> | null) => isInput({ ...defaultSettings, [name]: list })
    expect([null, ["x"], ["x".repeat(50)]].map(accepts)).toEqual([true, true, true])
    expect([[], [""], ["x".repeat(51)]].map(accepts)).toEqual([false, false, false])
  })

  it("a deposit may be 0, and may not be negative", () => {
    expect([0, 1, -1].map(Schema.is(Deposit))).toEqual([true, true, false])
  })

  it("the balance is deposits minus charges minus reservations (D-BILL-4)", () => {
    const [deposits, charges, reservations] = [Money.make(100), Money.make(30), Money.make(20)]
    expect(balance({ deposits, charges, reservations })).toBe(50)
  })
})
