import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AuditTrail from "../audit/AuditTrail.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as AgentAudit from "./AgentAudit.ts"
import { NotOwner, type OwnerAction, type TeamAccessDenied, type TeamNotFound } from "../access/AccessError.ts"
import { AccountLimits, type LimitReached, requireCapacity } from "../access/AccountLimits.ts"
import { AccountStore } from "../access/AccountStore.ts"
import { Principal } from "../access/Principal.ts"
import type { TeamId } from "../access/Team.ts"
import { requireTeam } from "../access/TeamAccess.ts"
import { TeamStore } from "../access/TeamStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import { invalid } from "../values/FieldProblemCodes.ts"
import * as Input from "../values/Input.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"
import * as Tracing from "../values/Tracing.ts"
import { ValidationError } from "../values/ValidationError.ts"
import { type Agent, AgentId } from "./Agent.ts"
import { AgentArchived, AgentNotFound } from "./AgentError.ts"
import { AgentQuery, CreateAgent, PatchAgent, PutAgent } from "./AgentInput.ts"
import * as AgentMerge from "./AgentMerge.ts"
import { agentScope } from "./AgentScope.ts"
import { AgentKey, AgentStore } from "./AgentStore.ts"

type TeamError = TeamNotFound | TeamAccessDenied

type UpdateError = AgentNotFound | NotOwner | AgentArchived | TeamError | ValidationError | StorageError

/** The result of deleting an agent. */
export interface DeletedAgent {
  /** Whether the agent was archived, because calls or calendar events name it. Otherwise it is gone. */
  readonly archived: boolean
}

const inputs: Input.Inputs<Agents["Service"]> = {
  create: [{ input: CreateAgent }],
  list: [{ query: Schema.UndefinedOr(AgentQuery) }],
  get: [{ key: AgentKey }],
  getActive: [{ key: AgentKey }],
  put: [{ id: AgentId }, { input: PutAgent }],
  patch: [{ id: AgentId }, { patch: PatchAgent }],
  delete: [{ id: AgentId }]
}

/**
 * The agents that the caller may use (C-4.1-1), and changes of those that its account owns (D-AGENT-1).
 *
 * For an agent that the caller cannot see, also one that exists, every method fails with `AgentNotFound` (D-TEAM-2). A
 * change of an agent that the caller sees and another account owns fails with `NotOwner` (D-AGENT-2).
 */
export class Agents extends Context.Service<
  Agents,
  {
    /**
     * Adds an agent to the caller's account, and returns it. Fails with `ValidationError` when an agent of any account has
     * the assistant id, or an agent of another account has the phone number (D-AGENT-6).
     */
    readonly create: (
      input: CreateAgent
    ) => Effect.Effect<Agent, TeamError | LimitReached | ValidationError | StorageError, Principal>
    /** Returns all agents that the caller sees, sorted by id. By default archived ones are left out. */
    readonly list: (
      query?: AgentQuery
    ) => Effect.Effect<ReadonlyArray<Agent>, ValidationError | StorageError, Principal>
    /** Returns an agent that the caller sees, archived or not. */
    readonly get: (key: AgentKey) => Effect.Effect<Agent, AgentNotFound | ValidationError | StorageError, Principal>
    /**
     * Returns an agent that the caller sees, for a new call or calendar event. Until the transaction ends, the agent is
     * neither deleted nor archived (D-AGENT-5). Fails with `AgentArchived` for an archived agent. Used inside
     * `Transaction.run`.
     */
    readonly getActive: (
      key: AgentKey
    ) => Effect.Effect<Agent, AgentNotFound | AgentArchived | ValidationError | StorageError, Principal>
    /**
     * Replaces the agent, and returns it. Its usage stays. A phone number and an assistant id that do not change are not
     * checked again.
     */
    readonly put: (id: AgentId, input: PutAgent) => Effect.Effect<Agent, UpdateError, Principal>
    /** Changes the given fields, and returns the agent. */
    readonly patch: (id: AgentId, patch: PatchAgent) => Effect.Effect<Agent, UpdateError, Principal>
    /**
     * Deletes the agent. When calls or calendar events name it, it is archived instead (D-AGENT-3). An archived agent that
     * they no longer name is deleted.
     */
    readonly delete: (
      id: AgentId
    ) => Effect.Effect<DeletedAgent, AgentNotFound | NotOwner | ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/agent/Agents") {
  /** The service over the stores of one storage. */
  static readonly layer: Layer.Layer<Agents, never, AgentStore | AccountStore | AuditStore | TeamStore | Transaction> =
    Layer.effect(
      Agents,
      Effect.gen(function* () {
        const audit = yield* AuditTrail.make
        const limits = yield* AccountLimits
        const agents = yield* AgentStore
        const accounts = yield* AccountStore
        const teams = yield* TeamStore
        const transaction = yield* Transaction

        const scope = Effect.gen(function* () {
          const { account } = yield* Principal
          if (account.role === "partner") return agentScope(account, yield* accounts.clientsOf(account.id))
          if (account.role === "standard" || account.partnerId === null) return agentScope(account, [])
          // The operator may have changed the role of the account that the client names as its partner. Without this check
          // the client would still see the agents of that account (D-TEAM-3).
          const isPartner = Option.exists(yield* accounts.find(account.partnerId), ({ role }) => role === "partner")
          return agentScope(isPartner ? account : { ...account, partnerId: null }, [])
        })

        const find = Effect.fnUntraced(function* (key: AgentKey) {
          const found = yield* agents.find(yield* scope, key)
          if (Option.isNone(found)) return yield* new AgentNotFound({ agent: "id" in key ? key.id : key.assistantId })
          return found.value
        })

        const getActive = Tracing.operation("Agents.getActive")(function* (key: AgentKey) {
          const agent = yield* find(key)
          if (agent.archivedAt === null && (yield* agents.lockActive(agent.id))) return agent
          // It may have been deleted since it was read.
          yield* find({ id: agent.id })
          return yield* new AgentArchived({ agentId: agent.id })
        })

        /** Returns the agent, and locks it until the transaction ends. */
        const lock = Effect.fnUntraced(function* (id: AgentId, action: OwnerAction) {
          const { account } = yield* Principal
          const own = yield* agents.findForUpdate(account.id, id)
          if (Option.isSome(own)) return own.value
          yield* find({ id })
          return yield* new NotOwner({ action })
        })

        /** Fails unless the agent may have the team. An agent may keep its team, also when its account has left it (D-TEAM-8). */
        const checkTeam = Effect.fnUntraced(function* (before: TeamId | null, after: TeamId | null) {
          if (after !== null && after !== before) yield* Effect.provideService(requireTeam(after), TeamStore, teams)
        })

        /** Fails unless the agent may have the phone number. An agent may keep its number. */
        const checkNumber = Effect.fnUntraced(function* (before: PhoneNumber | null, after: PhoneNumber | null) {
          const { account } = yield* Principal
          if (after === null || after === before) return
          if (yield* agents.isNumberTaken(account.id, after)) return yield* taken("phone_number", numberTaken)
        })

        const change = Effect.fnUntraced(function* (
          operation: "agents.put" | "agents.patch",
          id: AgentId,
          rule: (before: Agent) => Agent
        ) {
          const before = yield* lock(id, "change")
          if (before.archivedAt !== null) return yield* new AgentArchived({ agentId: id })
          const after = rule(before)
          if (after === before) return before
          yield* checkTeam(before.teamId, after.teamId)
          yield* checkNumber(before.phoneNumber, after.phoneNumber)
          yield* agents.update(after).pipe(refuseDuplicate)
          yield* audit.changed(operation, AgentAudit.kind, before, after)
          return after
        })

        return Input.service(Agents, inputs, {
          create: Tracing.operation("Agents.create")(function* (input) {
            const { account } = yield* Principal
            const agent = AgentMerge.create(input, account.id, yield* DateTime.now)
            yield* checkTeam(null, agent.teamId)
            // It locks the account, so that two requests at once cannot both take the last place.
            yield* accounts.lockFunds(account.id)
            const own = { accountIds: [account.id], teamIds: [] }
            const count = (yield* agents.list(own)).length + (yield* agents.list(own, true)).length
            yield* requireCapacity(limits, "agents", Effect.succeed({ count }))
            yield* checkNumber(null, agent.phoneNumber)
            const created = yield* agents.insert(agent).pipe(refuseDuplicate)
            yield* audit.created("agents.create", AgentAudit.kind, created)
            return created
          }, transaction.run),
          list: Tracing.operation("Agents.list")(function* (query = {}) {
            return yield* agents.list(yield* scope, query.archived ?? false)
          }),
          get: Tracing.operation("Agents.get")(function* (key) {
            return yield* find(key)
          }),
          getActive,
          put: Tracing.operation("Agents.put")(function* (id, input) {
            return yield* change("agents.put", id, (before) => AgentMerge.put(before, input))
          }, transaction.run),
          patch: Tracing.operation("Agents.patch")(function* (id, patch) {
            return yield* change("agents.patch", id, (before) => AgentMerge.patch(before, patch))
          }, transaction.run),
          delete: Tracing.operation("Agents.delete")(function* (id) {
            const before = yield* lock(id, "delete")
            if (yield* agents.delete(id)) {
              yield* audit.deleted("agents.delete", AgentAudit.kind, before)
              return { archived: false }
            }
            const after = AgentMerge.archive(before, yield* DateTime.now)
            if (after !== before) yield* agents.update(after)
            yield* audit.changed("agents.delete", AgentAudit.kind, before, after)
            return { archived: true }
          }, transaction.run)
        })
      })
    )
}

const numberTaken = "An agent of another account has this phone number"

const taken = (field: string, message: string): ValidationError =>
  new ValidationError({ problems: [{ field, code: invalid, message }] })

/** Turns the error of an assistant id that another agent has into a `ValidationError`. */
const refuseDuplicate = <A, R>(
  write: Effect.Effect<A, StorageError, R>
): Effect.Effect<A, StorageError | ValidationError, R> =>
  Effect.mapError(write, (error) =>
    error.reason === "duplicate" ? taken("assistant_id", "Another agent has this assistant id") : error
  )
