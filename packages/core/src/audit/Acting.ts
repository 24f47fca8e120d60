import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type Actor, maxIdLength, program } from "./Actor.ts"

/** Where a change comes from: the request for which it is made. */
export interface Origin {
  /** The id of the request, which its answer has in `X-Request-Id`. Null outside a request. */
  readonly requestId: string | null
  /** The IP address of the client that has sent the request. Null outside a request, and for a client that is not known. */
  readonly clientAddress: string | null
}

/** The origin of a change that is made outside a request. */
export const noRequest: Origin = { requestId: null, clientAddress: null }

/** The actor that makes the changes of the running fiber, and the request for which it makes them. */
export interface Acting extends Origin {
  readonly actor: Actor
  /** The account for which the actor acts. Null for an actor that may change records of every account. */
  readonly accountId: number | null
}

/**
 * The actor that the audit log names for the changes of the running fiber (D-AUD-2). The default is the program that embeds Frontdesk.
 * The HTTP API, the tools of agents, the command line and the workers set it.
 */
export const CurrentActing = Context.Reference<Acting>("@frontdesk/core/audit/Acting/CurrentActing", {
  defaultValue: () => ({ actor: program, accountId: null, ...noRequest })
})

/**
 * Runs an effect whose changes another actor makes. The request stays the same.
 *
 * @param accountId the account for which the actor acts; null for every account
 */
export const by =
  (type: Actor["type"], id: string | null, accountId: number | null = null) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.updateService(effect, CurrentActing, (current) => ({
      ...current,
      actor: { type, id: id === null ? null : id.slice(0, maxIdLength) },
      accountId
    }))

/**
 * Runs an effect in which the actor may change records of every account. The audit log names a person as the operator, because the
 * account may not know the person (D-OP-3).
 */
export const asOperator = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateService(effect, CurrentActing, (current) => {
    const { actor } = current
    return {
      ...current,
      actor: actor.type === "person" ? { ...actor, type: "operator" as const } : actor,
      accountId: null
    }
  })

/**
 * Returns what an entry states of a change to a record of an account. Another account acts as a `team_mate` (D-AUD-3). The account
 * does not learn the addresses of other accounts and of the operator (D-AUD-11).
 */
export const shownTo = (
  { accountId: own, actor, clientAddress, requestId }: Acting,
  accountId: number
): Origin & { readonly actor: Actor } => {
  if (own !== null && own !== accountId)
    return { actor: { type: "team_mate", id: String(own) }, requestId, clientAddress: null }
  return { actor, requestId, clientAddress: actor.type === "operator" ? null : clientAddress }
}
