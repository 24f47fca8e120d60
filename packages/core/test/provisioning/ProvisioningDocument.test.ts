import { describe, expect, it } from "@effect/vitest"
import { defaultSettings } from "@frontdesk/core/account/Accounts"
import {
  ProvisionedAccount,
  ProvisionedAgent,
  ProvisionedKey,
  settingsOf
} from "@frontdesk/core/provisioning/ProvisioningDocument"
import * as Schema from "effect/Schema"

const of = (schema: Schema.Codec<unknown, unknown>) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (row: object) => decode(row)._tag === "Some"
}
const isAccount = of(ProvisionedAccount)
const isAgent = of(ProvisionedAgent)
const isKey = of(ProvisionedKey)

const agent = { ref: "g", name: "Ada", assistant_id: "asst_ada" }
const key = { ref: "k", permissions: ["*"] }

describe("ProvisioningDocument", () => {
  it.each([
    ["account", "name", isAccount, { ref: "a" }, 200],
    ["agent", "name", isAgent, agent, 200],
    ["agent", "assistant_id", isAgent, agent, 255],
    ["agent", "model", isAgent, agent, 255],
    ["agent", "voice_id", isAgent, agent, 255],
    ["key", "name", isKey, key, 200],
    ["key", "key", isKey, key, 255],
    ["account", "ref", isAccount, { name: "Acme" }, 100]
  ] as const)(
    "the %s field %s has at most the maximum number of characters (D-SETUP-2)",
    (_, field, isRow, row, max) => {
      expect(isRow({ ...row, [field]: "x".repeat(max) })).toBe(true)
      expect(isRow({ ...row, [field]: "x".repeat(max + 1) })).toBe(false)
    }
  )

  it.each(["", "a b", " a", "a ", "a/b", "é", "a\n"])("a ref %j is refused", (ref) => {
    expect(isAccount({ ref, name: "Acme" })).toBe(false)
  })

  it("a ref may have letters, digits, '_', '.', ':' and '-'", () => {
    expect(isAccount({ ref: "Acme_1.eu:north-2", name: "Acme" })).toBe(true)
  })

  it.each(["balance", "price_per_minute"])("%s may be 0, and may not be negative", (field) => {
    expect(isAccount({ ref: "a", name: "Acme", [field]: 0 })).toBe(true)
    expect(isAccount({ ref: "a", name: "Acme", [field]: -0.000001 })).toBe(false)
  })

  it("a list of contact statuses or stages has at least one entry of 1 to 50 characters (D-SETUP-2)", () => {
    for (const field of ["contact_statuses", "contact_stages"]) {
      const row = (list: unknown) => ({ ref: "a", name: "Acme", [field]: list })
      expect([null, ["x"], ["x".repeat(50)]].map((list) => isAccount(row(list)))).toEqual([true, true, true])
      expect([[], [""], ["x".repeat(51)]].map((list) => isAccount(row(list)))).toEqual([false, false, false])
    }
  })

  it("the settings of agents have the names and values of the API (D-ACC-2)", () => {
    const given = {
      inbound_identity: "trusted",
      inbound_contacts: "create",
      agent_contact_fields: ["first_name", "zip_code"],
      language: "pt-br"
    }
    const row = { ref: "a", name: "Acme", ...given }
    expect(settingsOf(Schema.decodeUnknownSync(ProvisionedAccount)(row))).toEqual({
      ...defaultSettings,
      inboundIdentity: "trusted",
      inboundContacts: "create",
      agentContactFields: ["first_name", "zip_code"],
      language: "pt-BR"
    })
    for (const wrong of [
      { inbound_identity: "known" },
      { inbound_contacts: null },
      { agent_contact_fields: ["phone"] },
      { agent_contact_fields: ["email", "email"] },
      { language: "english" }
    ]) {
      expect([wrong, isAccount({ ...row, ...wrong })]).toEqual([wrong, false])
    }
  })

  it("a setting that the document does not give has the default of a new account (D-ACC-2)", () => {
    const decoded = Schema.decodeUnknownSync(ProvisionedAccount)({
      ref: "a",
      name: "Acme",
      balance: 5,
      price_per_minute: 0.5,
      contact_statuses: ["open"],
      minimum_notice_minutes: 30
    })
    expect(settingsOf(decoded)).toEqual({
      ...defaultSettings,
      pricePerMinute: 500_000,
      contactStatuses: ["open"],
      minimumNoticeMinutes: 30
    })
  })
})
