import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { AccountStore } from "../access/AccountStore.ts"
import { Principal } from "../access/Principal.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Agent } from "./Agent.ts"
import { AgentNotFound } from "./AgentError.ts"
import { agentScope } from "./AgentScope.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { AgentKey, AgentStore } from "./AgentStore.ts"

const inputs: Input.Inputs<Agents["Service"]> = { get: [{ key: AgentKey }] }

/** Shows the agents that the caller may use (C-4.1-1). */
export class Agents extends Context.Service<
  Agents,
  {
    /** Returns all agents that the caller sees, sorted by id. */
    readonly list: Effect.Effect<ReadonlyArray<Agent>, StorageError, Principal>
    /**
     * Returns an agent that the caller sees. Fails with `AgentNotFound` for any other agent, also one that exists
     * (D-TEAM-2).
     */
    readonly get: (key: AgentKey) => Effect.Effect<Agent, AgentNotFound | ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/agent/Agents") {
  /** The service over the stores. */
  static readonly layer: Layer.Layer<Agents, never, AgentStore | AccountStore> = Layer.effect(
    Agents,
    Effect.gen(function* () {
      const agents = yield* AgentStore
      const accounts = yield* AccountStore

      const scope = Effect.gen(function* () {
        const { account } = yield* Principal
        if (account.role === "partner") return agentScope(account, yield* accounts.clientsOf(account.id))
        if (account.role === "standard" || account.partnerId === null) return agentScope(account, [])
        // The operator may have changed the role of the account that the client names as its partner. Without this check
        // the client would still see the agents of that account (D-TEAM-3).
        const isPartner = Option.exists(yield* accounts.find(account.partnerId), ({ role }) => role === "partner")
        return agentScope(isPartner ? account : { ...account, partnerId: null }, [])
      })

      return Input.service(Agents, inputs, {
        list: scope.pipe(Effect.flatMap(agents.list), Tracing.span("Agents.list")),
        get: Tracing.operation("Agents.get")(function* (key) {
          const found = yield* agents.find(yield* scope, key)
          if (Option.isNone(found)) return yield* new AgentNotFound({ agent: "id" in key ? key.id : key.assistantId })
          return found.value
        })
      })
    })
  )
}
