import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Provisioning } from "@frontdesk/core/provisioning/Provisioning"
import { ProvisioningDocument } from "@frontdesk/core/provisioning/ProvisioningDocument"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

const services = Provisioning.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Accounts.layer, ApiKeys.layer, Contacts.layer)),
  Layer.provideMerge(Layer.mergeAll(MemoryStorage.layer, Crypto.layerWebCrypto))
)

const keyValue = "fd_test_acme_full_0123456789abcdefghijklmnop"

/** Applies a document with these names of its account and its agent. */
const apply = (account: string, agent: string) =>
  Effect.flatMap(Provisioning, (provisioning) =>
    provisioning.apply(
      Schema.decodeUnknownSync(ProvisioningDocument)({
        accounts: [
          {
            ref: "acme",
            name: account,
            balance: 100,
            api_keys: [{ ref: "all", permissions: ["*"], key: keyValue }],
            agents: [{ ref: "ada", name: agent, assistant_id: "asst_ada" }],
            contacts: [{ ref: "jo", first_name: "Josephine" }]
          }
        ]
      })
    )
  )

describe("the audit log of provisioning (D-AUD-1)", () => {
  it.effect("has an entry for each record that a document creates or changes, and none for a repeat", () =>
    Effect.gen(function* () {
      const { accounts } = yield* apply("Acme", "Ada")
      const id = accounts["acme"] ?? 0
      const created = yield* allEntriesOf(id)
      expect(created.map(({ operation }) => operation).toReversed()).toEqual([
        "accounts.create",
        "funds.deposit",
        "apiKeys.create",
        "agents.create",
        "contacts.create"
      ])
      const text = JSON.stringify(created)
      expect([text.includes(keyValue), text.includes("Josephine")]).toEqual([false, false])
      yield* apply("Acme", "Ada")
      expect(yield* allEntriesOf(id)).toEqual(created)
      yield* apply("Acme Inc.", "Zoe")
      expect((yield* allEntriesOf(id)).slice(0, -created.length)).toMatchObject([
        { operation: "agents.put", changes: [{ field: "name", before: "Ada", after: "Zoe" }] },
        { operation: "accounts.update", changes: [{ field: "name", before: "Acme", after: "Acme Inc." }] }
      ])
    }).pipe(Effect.provide(services))
  )
})
