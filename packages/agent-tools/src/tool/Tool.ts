import type * as Permission from "@frontdesk/core/access/Permission"
import { permissions } from "@frontdesk/core/access/Permission"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import type { FieldProblem } from "@frontdesk/core/values/ValidationError"
import type * as JsonSchema from "effect/JsonSchema"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Descriptions } from "./ArgumentDescriptions.ts"
import { argumentsSchema } from "./ToolJsonSchema.ts"

/** What a tool does to stored data. Some clients ask a person before they call a tool that changes data. */
export type ToolEffect = "reads" | "adds" | "changes"

/** The description of a tool, apart from its arguments. */
export interface ToolDescription<Name extends string = string> {
  readonly name: Name
  /** A short title for people. */
  readonly title: string
  /** Instructs a language model when to call the tool, and what to do with the answer. */
  readonly description: string
  /** The permission that the API key needs. */
  readonly permission: Permission.CallerPermission
  /** Whether the tool acts for the person on the telephone. Without a call it is not listed. */
  readonly needsCall: boolean
  readonly effect: ToolEffect
}

/** A tool that a voice agent can call. `A` is the type of its arguments after decoding. */
export interface Tool<Name extends string = string, A = unknown> extends ToolDescription<Name> {
  /** The JSON Schema of the arguments, draft 2020-12: an object without references and patterns. */
  readonly argumentsSchema: JsonSchema.JsonSchema
  /**
   * Decodes arguments. Fails with a problem for each wrong field. Null under the name of an argument counts as absent,
   * because some models write it for every argument that they leave out.
   */
  readonly decode: (given: unknown) => Result.Result<A, ReadonlyArray<FieldProblem>>
}

/** Returns a tool that needs the permission of an operation of core. */
export const define = <const Name extends string, A, Encoded extends object>(
  {
    operation,
    ...description
  }: Omit<ToolDescription<Name>, "permission"> & {
    readonly operation: Permission.Operation
  },
  schema: Schema.Codec<A, Encoded>,
  descriptions: Descriptions<Encoded>
): Tool<Name, A> => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  return {
    ...description,
    permission: permissions[operation],
    argumentsSchema: argumentsSchema(schema, descriptions),
    decode: (given) =>
      isObject(given)
        ? Result.mapError(decode(withoutNulls(given)), ({ issue }) => FieldProblems.fromIssue(issue))
        : Result.fail([{ field: "", code: FieldProblems.wrongType, message: "Expected an object" }])
  }
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (given: unknown): given is Fields =>
  typeof given === "object" && given !== null && !Array.isArray(given)

const withoutNulls = (given: Fields): Fields =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
