import { AccountId } from "@frontdesk/core/access/Account"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Provisioning } from "@frontdesk/core/provisioning/Provisioning"
import { ProvisioningDocument } from "@frontdesk/core/provisioning/ProvisioningDocument"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

const services = Provisioning.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Accounts.layer, ApiKeys.layer, Contacts.layer)),
  Layer.provideMerge(Layer.mergeAll(MemoryStorage.layer, Crypto.layerWebCrypto))
)

const document = Schema.decodeUnknownSync(ProvisioningDocument)({
  accounts: [
    {
      ref: "acme",
      name: "Acme",
      agents: [{ ref: "ada", name: "Ada", assistant_id: "asst_ada", phone_number: "+12025550100" }]
    }
  ]
})

const apply = Effect.flatMap(Provisioning, (provisioning) => provisioning.apply(document))

type Provisioned = Effect.Success<typeof apply>

const agentOf = ({ agents }: Provisioned) => AgentId.make(agents["ada"] ?? 0)

const scopeOf = ({ accounts }: Provisioned) => ({ accountIds: [AccountId.make(accounts["acme"] ?? 0)], teamIds: [] })

const test = <A, E>(name: string, effect: Effect.Effect<A, E, Layer.Success<typeof services>>) =>
  it.effect(name, () => Effect.provide(effect, services))

describe("a document that names an agent again", () => {
  test(
    "restores an archived agent with its id, phone number and usage (D-AGENT-8)",
    Effect.gen(function* () {
      const first = yield* apply
      const agents = yield* AgentStore
      const [agent] = yield* agents.list(scopeOf(first))
      if (agent === undefined) return expect.fail("there is no agent")
      yield* agents.addUsage(agent.id, 90)
      yield* agents.update({ ...agent, phoneNumber: null, archivedAt: agent.createdAt })
      expect(yield* agents.list(scopeOf(first))).toEqual([])
      expect(yield* apply).toEqual(first)
      expect(yield* agents.list(scopeOf(first))).toEqual([{ ...agent, secondsUsed: 90, totalCalls: 1 }])
    })
  )

  test(
    "creates a deleted agent again under a new id, which later runs return too (D-AGENT-8)",
    Effect.gen(function* () {
      const first = yield* apply
      const agents = yield* AgentStore
      expect(yield* agents.delete(agentOf(first))).toBe(true)
      const second = yield* apply
      expect(agentOf(second)).not.toBe(agentOf(first))
      const made = { id: agentOf(second), assistantId: "asst_ada", totalCalls: 0 }
      expect(yield* agents.list(scopeOf(first))).toMatchObject([made])
      expect(yield* apply).toEqual(second)
    })
  )

  test(
    "creates an agent again that is deleted while the document is applied (D-AGENT-8)",
    Effect.gen(function* () {
      const first = yield* apply
      const agents = yield* AgentStore
      const deleting = AgentStore.of({
        ...agents,
        update: (agent) => Effect.andThen(agents.delete(agent.id), agents.update(agent))
      })
      const second = yield* apply.pipe(
        Effect.provide(Layer.fresh(Provisioning.layer)),
        Effect.provideService(AgentStore, deleting)
      )
      expect(agentOf(second)).not.toBe(agentOf(first))
      expect(yield* agents.list(scopeOf(first))).toMatchObject([{ id: agentOf(second) }])
    })
  )
})
