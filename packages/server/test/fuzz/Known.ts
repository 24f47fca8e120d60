import { member } from "./ResponseCheck.ts"

/** The path parameters whose values are taken from earlier answers. */
export const parameters = [
  "contact_id",
  "variable_id",
  "event_id",
  "call_id",
  "webhook_id",
  "delivery_id",
  "api_key_id",
  "member_id",
  "link_id"
] as const

/** A path parameter whose values are taken from earlier answers. */
export type KnownParameter = (typeof parameters)[number]

/** Returns the placeholder of a parameter in a target; null for a parameter without known values. */
export const placeholder = (name: string): string | null =>
  parameters.some((known) => known === name) ? `{{${name}}}` : null

/** The answers that have a value of a parameter: their path, the parameter, and the key of the value. */
const sources: ReadonlyArray<readonly [path: RegExp, parameter: KnownParameter, key: string]> = [
  [/\/contacts\/create$/, "contact_id", "id"],
  [/\/context-variables\/create$/, "variable_id", "id"],
  [/\/events\/create$/, "event_id", "uuid"],
  [/\/events\/create$/, "event_id", "id"],
  [/\/calls$/, "call_id", "id"],
  [/\/calls$/, "call_id", "call_id"],
  [/\/webhooks\/create$/, "webhook_id", "id"],
  [/\/api-keys\/create$/, "api_key_id", "id"],
  [/\/members\/create$/, "member_id", "id"],
  [/\/dashboard\/links$/, "link_id", "id"]
]

/** An id that no API key has. The first ids are those of the callers, whose keys must not be revoked. */
const absentKey = "999999999"

/** The maximum number of stored values of a parameter. */
const maxKnown = 30

/** The values that one caller has received in answers. */
export interface Known {
  /** Stores the values in the JSON of a successful answer. */
  readonly add: (path: string, body: unknown) => void
  /** Replaces the placeholders of a target by stored values. The same number chooses the same values. */
  readonly fill: (target: string, choice: number) => string
}

/** Creates a store without values. */
export const make = (): Known => {
  const known = new Map<string, Array<string>>()
  const remember = (parameter: KnownParameter, value: unknown): void => {
    if (typeof value !== "string" && typeof value !== "number") return
    const values = known.get(parameter) ?? []
    known.set(parameter, [...values, String(value)].slice(-maxKnown))
  }
  return {
    add: (path, body) => {
      for (const [pattern, parameter, key] of sources) if (pattern.test(path)) remember(parameter, member(body, key))
      const deliveries = member(body, "deliveries")
      if (Array.isArray(deliveries)) for (const delivery of deliveries) remember("delivery_id", member(delivery, "id"))
    },
    fill: (target, choice) =>
      target.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
        const values = known.get(name) ?? []
        return encodeURIComponent(values[choice % values.length] ?? (name === "api_key_id" ? absentKey : "1"))
      })
  }
}
