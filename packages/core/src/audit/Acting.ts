import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type Actor, maxIdLength, program } from "./Actor.ts"

/** The actor that makes the changes of the running fiber, and the request for which it makes them. */
export interface Acting {
  readonly actor: Actor
  /** The account for which the actor acts. Null for an actor that may change records of every account. */
  readonly accountId: number | null
  /** The id of the request, which its answer has in `X-Request-Id`. Null outside a request. */
  readonly requestId: string | null
}

/**
 * The actor that the audit log names for the changes of the running fiber (D-AUD-2). The default is the program that embeds Frontdesk.
 * The HTTP API, the tools of agents, the command line and the workers set it.
 */
export const CurrentActing = Context.Reference<Acting>("@frontdesk/core/audit/Acting/CurrentActing", {
  defaultValue: () => ({ actor: program, accountId: null, requestId: null })
})

/**
 * Runs an effect whose changes another actor makes. The request stays the same.
 *
 * @param accountId the account for which the actor acts; null for every account
 */
export const by =
  (type: Actor["type"], id: string | null, accountId: number | null = null) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.updateService(effect, CurrentActing, ({ requestId }) => ({
      actor: { type, id: id === null ? null : id.slice(0, maxIdLength) },
      accountId,
      requestId
    }))

/**
 * Runs an effect in which the actor may change records of every account. The audit log names a person as the operator, because the
 * account may not know the person (D-OP-3).
 */
export const asOperator = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateService(effect, CurrentActing, ({ actor, requestId }) => ({
    actor: actor.type === "person" ? { ...actor, type: "operator" as const } : actor,
    accountId: null,
    requestId
  }))

/** Returns the actor of a change to a record of an account: another account acts as a `team_mate` (D-AUD-3). */
export const actorFor = ({ accountId: own, actor }: Acting, accountId: number): Actor =>
  own === null || own === accountId ? actor : { type: "team_mate", id: String(own) }
