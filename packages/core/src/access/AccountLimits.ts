import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** How many of each resource an account may have. */
export interface Limits {
  /** Revoked and expired keys count: they are stored and listed. */
  readonly apiKeys: number
  readonly calendarEvents: number
  readonly contacts: number
  /** Definitions of variables, without the default ones. The accounts of a team together have at most this many too. */
  readonly variables: number
  /** The total bytes of the JSON of the definitions, because one answer lists them. The definitions of a team have the same limit. */
  readonly variableBytes: number
  readonly webhooks: number
  /** The bytes of the JSON of the names, URLs and events of all webhooks together: they are listed in one answer. */
  readonly webhookBytes: number
}

/** The limits of an account where no others are provided. */
export const defaultLimits: Limits = {
  apiKeys: 1_000,
  calendarEvents: 1_000_000,
  contacts: 250_000,
  variables: 500,
  variableBytes: 1_048_576,
  webhooks: 500,
  webhookBytes: 1_048_576
}

/** The limits of every account: {@link defaultLimits}, unless a program that embeds the core provides others. */
export const AccountLimits = Context.Reference<Limits>("@frontdesk/core/access/AccountLimits", {
  defaultValue: () => defaultLimits
})

/**
 * The account has as much of a resource as it may, or a delivery has had as many `attempts` as it may (409
 * `limit_reached`).
 */
export class LimitReached extends Schema.TaggedError<LimitReached>("@frontdesk/core/access/LimitReached")(
  "LimitReached",
  {
    resource: Schema.Literals([
      "apiKeys",
      "attempts",
      "calendarEvents",
      "contacts",
      "teamVariableBytes",
      "teamVariables",
      "variables",
      "variableBytes",
      "webhooks",
      "webhookBytes"
    ]),
    limit: Schema.Int
  }
) {}

const holdings: { readonly [R in LimitReached["resource"]]: string } = {
  apiKeys: "account has as many API keys",
  attempts: "delivery has had as many attempts",
  calendarEvents: "account has as many calendar events",
  contacts: "account has as many contacts",
  teamVariableBytes: "team has as many bytes of variable definitions",
  teamVariables: "team has as many variable definitions",
  variables: "account has as many variable definitions",
  variableBytes: "account has as many bytes of variable definitions",
  webhooks: "account has as many webhooks",
  webhookBytes: "account has as many bytes of webhooks"
}

/** Returns a sentence for people that says which limit was reached. */
export const limitText = ({ limit, resource }: LimitReached): string => `The ${holdings[resource]} as it may: ${limit}`

/**
 * Fails with `LimitReached` when an account may not have one more of a resource. `present` counts what it has.
 *
 * Requests at the same time may each find the last place, so an account can end with a few more than its limit.
 */
export const requireCapacity = <E, R>(
  limits: Limits,
  resource: keyof Limits,
  present: Effect.Effect<{ readonly count: number }, E, R>
): Effect.Effect<void, E | LimitReached, R> =>
  Effect.flatMap(present, ({ count }) =>
    count < limits[resource] ? Effect.void : Effect.fail(new LimitReached({ resource, limit: limits[resource] }))
  )
