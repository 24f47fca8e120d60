import { member } from "./ResponseCheck.ts"

/** The path parameters for which values of earlier answers are put in. */
export const parameters = ["contact_id", "variable_id", "event_id", "call_id", "webhook_id", "delivery_id"] as const

/** A path parameter for which values of earlier answers are put in. */
export type KnownParameter = (typeof parameters)[number]

/** What stands in a target for such a value. */
export const placeholder = (name: string): string | null =>
  parameters.some((known) => known === name) ? `{{${name}}}` : null

/** Which answers show a value of which parameter, and under which key. */
const sources: ReadonlyArray<readonly [path: RegExp, parameter: KnownParameter, key: string]> = [
  [/\/contacts\/create$/, "contact_id", "id"],
  [/\/context-variables\/create$/, "variable_id", "id"],
  [/\/events\/create$/, "event_id", "uuid"],
  [/\/events\/create$/, "event_id", "id"],
  [/\/calls$/, "call_id", "id"],
  [/\/calls$/, "call_id", "call_id"],
  [/\/webhooks\/create$/, "webhook_id", "id"]
]

/** How many values of a parameter are remembered. */
const maxKnown = 30

/** What one caller has seen in answers. */
export interface Known {
  /** Takes what the JSON of a successful answer shows. */
  readonly add: (path: string, body: unknown) => void
  /** Puts values in the place of placeholders; the same number chooses the same ones. */
  readonly fill: (target: string, choice: number) => string
}

/** Nothing is known yet. */
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
        return encodeURIComponent(values[choice % values.length] ?? "1")
      })
  }
}
