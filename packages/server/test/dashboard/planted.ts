import { CallProvider } from "@frontdesk/core/call/CallProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Replaced } from "../support/launch.ts"
import { type askAs, recordOf } from "./accounts.ts"

/*
 * Puts a text that would run as a script into every field of the API that takes any text. The fields are read from the OpenAPI
 * document, so that a new one is covered by itself.
 */

/** A text that would run if a page took it for HTML. It is short enough for every field, and tells its field. */
export interface Planted {
  readonly field: string
  readonly text: string
}

/** The part of a JSON Schema that says which texts a field takes. */
interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly pattern?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
}

/** The part of the OpenAPI document that has the bodies of requests. */
interface OpenApi {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly requestBody: { readonly content: { readonly "application/json": { readonly schema: JsonSchema } } }
        }
      }
    >
  >
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** The patterns of fields that take any text. */
const anyText: ReadonlySet<string | undefined> = new Set([
  undefined,
  String.raw`^[^\x00]*$`,
  String.raw`^\s*[^\s\x00][^\x00]*$`
])

/** Plants texts, and remembers them. */
export const makePlanting = async (api: string, ask: ReturnType<typeof askAs>) => {
  const answer = await fetch(`${api}/openapi.json`)
  /* oxlint-disable-next-line typescript/no-unsafe-type-assertion
     -- The parts of the document that are read have their form by its standard. */
  const { components, paths } = (await answer.json()) as OpenApi
  const planted: Array<Planted> = []

  /** Returns a new text for a field. */
  const textFor = (field: string): string => {
    const text = `<svg onload=h(${planted.length})>`
    planted.push({ field, text })
    return text
  }

  const resolve = (schema: JsonSchema): JsonSchema => {
    if (schema.$ref !== undefined) return resolve(components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {})
    const some = schema.anyOf?.find(({ type }) => type !== "null")
    return some === undefined ? schema : resolve(some)
  }

  /** Returns a value with a text in every field that takes any and that the given value leaves open. */
  const fill = (given: JsonSchema, value: unknown, field: string): unknown => {
    const schema = resolve(given)
    if (value !== undefined && (typeof value !== "object" || value === null)) return value
    if (schema.type === "string" && schema.enum === undefined && anyText.has(schema.pattern)) return textFor(field)
    if (schema.items !== undefined) {
      const { items } = schema
      if (Array.isArray(value)) return value.map((item: unknown) => fill(items, item, `${field}[]`))
      const item = fill(items, undefined, `${field}[]`)
      return typeof item === "string" ? [item] : undefined
    }
    if (schema.properties === undefined) return value
    const known = recordOf(value)
    const filled = Object.entries(schema.properties).map(
      ([name, property]) => [name, fill(property, known[name], `${field}.${name}`)] as const
    )
    // A record of an object that the given value leaves out is left out, unless it has a text.
    const isEmpty = value === undefined && filled.every(([, one]) => one === undefined)
    return isEmpty ? undefined : { ...known, ...Object.fromEntries(filled) }
  }

  /** Sends a POST. What its body needs besides texts is given, and so is its path, where the document has a name in it. */
  const create = (path: string, given: unknown, sentTo = path) => {
    const schema = paths[`/api/v1${path}`]?.post.requestBody.content["application/json"].schema
    if (schema === undefined) throw new Error(`The OpenAPI document has no POST ${path}`)
    return ask(sentTo, fill(schema, given, path))
  }

  return { planted, textFor, create }
}

/** Replaces what the call provider reports by texts. */
export const withReports =
  (texts: { readonly transcript: string; readonly summary: string }): NonNullable<Replaced["around"]> =>
  (adapters) =>
    Layer.effect(
      CallProvider,
      Effect.map(CallProvider, (provider) =>
        CallProvider.of({
          ...provider,
          reports: Stream.map(provider.reports, (told) => {
            const { report } = told
            if (report._tag === "Transcript") return { ...told, report: { ...report, text: texts.transcript } }
            return report._tag === "Summary" ? { ...told, report: { ...report, text: texts.summary } } : told
          })
        })
      )
    ).pipe(Layer.provideMerge(adapters))
