import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The maximum of each resource that an account may have. */
export interface Limits {
  /** Revoked and expired keys count too, because they stay stored and listed (D-KEY-11). */
  readonly apiKeys: number
  readonly calendarEvents: number
  readonly contacts: number
  /** Definitions of variables, without the default ones. All definitions of a team together have the same maximum. */
  readonly variables: number
  /**
   * The bytes of the JSON of all these definitions, because one answer lists them. All definitions of a team together have
   * the same maximum (D-VAR-16).
   */
  readonly variableBytes: number
  readonly webhooks: number
  /** The bytes of the JSON of the names, URLs and event names of all webhooks, because one answer lists them. */
  readonly webhookBytes: number
  /** Archived agents count too, because they stay stored and listed (D-AGENT-7). */
  readonly agents: number
  readonly members: number
  /** Open sign-in links without a member. Used and expired links do not count (D-MEM-5). */
  readonly signInLinks: number
}

/** The default limits of an account. */
export const defaultLimits: Limits = {
  apiKeys: 1_000,
  calendarEvents: 1_000_000,
  contacts: 250_000,
  variables: 500,
  variableBytes: 1_048_576,
  webhooks: 100,
  webhookBytes: 1_048_576,
  agents: 1_000,
  members: 100,
  signInLinks: 1_000
}

/** The limits of every account: {@link defaultLimits}, unless a program that embeds the core provides others. */
export const AccountLimits = Context.Reference<Limits>("@frontdesk/core/access/AccountLimits", {
  defaultValue: () => defaultLimits
})

/**
 * An account or team has the maximum of a resource, or a delivery has had the maximum number of `attempts` (409
 * `limit_reached`).
 */
export class LimitReached extends Schema.TaggedError<LimitReached>("@frontdesk/core/access/LimitReached")(
  "LimitReached",
  {
    resource: Schema.Literals([
      "apiKeys",
      "attempts",
      "calendarEvents",
      "contactImports",
      "contacts",
      "teamVariableBytes",
      "teamVariables",
      "unfinishedContactImports",
      "variables",
      "variableBytes",
      "webhooks",
      "webhookBytes",
      "agents",
      "members",
      "signInLinks"
    ]),
    limit: Schema.Int
  }
) {}

/** The owner and the name of a limited resource, and what the owner can do when it has reached the limit. */
interface Limited {
  readonly owner: "account" | "delivery" | "team"
  readonly things: string
  readonly remedy?: string
}

const limited: { readonly [R in LimitReached["resource"]]: Limited } = {
  apiKeys: { owner: "account", things: "API keys" },
  attempts: { owner: "delivery", things: "attempts" },
  calendarEvents: { owner: "account", things: "calendar events" },
  contactImports: {
    owner: "account",
    things: "imports of contacts",
    remedy: "Old imports are deleted some time after their last change"
  },
  unfinishedContactImports: {
    owner: "account",
    things: "imports of contacts that are not finished",
    remedy: "Wait until one has finished, or cancel one"
  },
  contacts: { owner: "account", things: "contacts" },
  teamVariableBytes: { owner: "team", things: "bytes of variable definitions" },
  teamVariables: { owner: "team", things: "variable definitions" },
  variables: { owner: "account", things: "variable definitions" },
  variableBytes: { owner: "account", things: "bytes of variable definitions" },
  webhooks: {
    owner: "account",
    things: "webhooks",
    remedy: "Delete a webhook that is not needed, or ask the operator for a higher limit"
  },
  webhookBytes: { owner: "account", things: "bytes of webhooks" },
  agents: {
    owner: "account",
    things: "agents",
    remedy: "Delete an agent that has no calls, or ask the operator for a higher limit"
  },
  members: { owner: "account", things: "members" },
  signInLinks: {
    owner: "account",
    things: "open sign-in links",
    remedy: "Wait until some are used or expire, or delete them"
  }
}

/** Returns the message for people: which limit was reached, and for some resources what to do. */
export const limitText = ({ limit, resource }: LimitReached): string => {
  const { owner, remedy, things } = limited[resource]
  const reached = `The ${owner} has reached its limit of ${limit} ${things}`
  return remedy === undefined ? reached : `${reached}. ${remedy}`
}

/**
 * Fails with `LimitReached` when an account has the maximum of a resource.
 *
 * It takes no lock. Requests at the same time may all pass the check, so an account can exceed its limit by a few.
 *
 * @param present counts what the account has
 */
export const requireCapacity = <E, R>(
  limits: Limits,
  resource: keyof Limits,
  present: Effect.Effect<{ readonly count: number }, E, R>
): Effect.Effect<void, E | LimitReached, R> =>
  Effect.flatMap(present, ({ count }) =>
    count < limits[resource] ? Effect.void : Effect.fail(new LimitReached({ resource, limit: limits[resource] }))
  )
