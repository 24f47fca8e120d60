import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as FieldProblems from "./FieldProblems.ts"
import * as LookAlikes from "./LookAlikes.ts"
import * as Oversize from "./Oversize.ts"
import { copy } from "./PlainCopy.ts"
import { type FieldProblem, ValidationError } from "./ValidationError.ts"

/** A schema whose decoded value is an `A`. The encoded side is not used. */
type Typed<A> = Schema.Schema<A> & Schema.Top

/**
 * The arguments of a method in order, each with its name and its schema: `[{ id: ContactId }, { body: PutContact }]`.
 */
type Arguments<Given extends ReadonlyArray<unknown>> = {
  readonly [I in keyof Given]-?: { readonly [name: string]: Typed<Given[I]> }
}

type Method = (...given: ReadonlyArray<never>) => unknown

/** The arguments of a method. A method whose errors lack `ValidationError` does not compile. */
type Declared<M extends Method> =
  ReturnType<M> extends Effect.Effect<unknown, infer E, infer _R>
    ? ValidationError extends E
      ? Arguments<Parameters<M>>
      : "the errors of this method lack ValidationError"
    : "this method does not return an Effect"

/** The declared arguments of every method of a service. Members that are not functions have no entry. */
export type Inputs<Service> = {
  readonly [M in keyof Service as Service[M] extends Method ? M : never]: Service[M] extends Method
    ? Declared<Service[M]>
    : never
}

const known = new WeakMap<object, Schema.Top>()

/**
 * Returns the value, and marks it as decoded by a schema, so that {@link service} does not decode it again.
 *
 * A driving adapter calls this for a value that it has just decoded. The value must not be changed afterwards.
 */
export const remember = <A>(schema: Typed<A>, value: A): A => {
  mark(schema, value)
  return value
}

const mark = (schema: Schema.Top, value: unknown): void => {
  if (typeof value === "object" && value !== null) known.set(value, schema)
}

const decodedInput = "frontdesk/decodedInput"

/**
 * Declares that every value which an adapter's schema decodes is valid for `input`, the schema of a service. With the
 * declaration {@link rememberer} marks these values as decoded by `input`.
 */
export const decodes =
  <Input extends Schema.Top>(input: Input) =>
  <S extends Schema.Top & { readonly Type: Input["Type"] }>(schema: S): S["Rebuild"] =>
    schema.annotate({ [decodedInput]: input })

/**
 * Returns {@link remember} for the service's schema that {@link decodes} declared. For a schema without such a
 * declaration the returned function does nothing.
 */
export const rememberer = (schema: { readonly ast: SchemaAST.AST }): (<A>(value: A) => A) => {
  const input = SchemaAST.resolve(schema.ast)?.[decodedInput]
  if (!Schema.isSchema(input)) return (value) => value
  return (value) => {
    mark(input, value)
    return value
  }
}

/** One argument of a method: its name and its schema. */
export interface Argument {
  readonly name: string
  readonly schema: Schema.Top
}

const methods = new WeakMap<object, ReadonlyArray<Argument>>()

/** Returns the arguments that a method of {@link service} decodes, in order. Returns undefined for any other function. */
export const argumentsOf = (method: object): ReadonlyArray<Argument> | undefined => methods.get(method)

/**
 * Returns the service with methods that decode their arguments before they run (D-VAL-3).
 *
 * A call with an invalid argument fails with `ValidationError`. The error names a field in camelCase, and an argument
 * that is invalid as a whole by its declared name. Methods receive copies, so a change of an object after the call has
 * no effect. The items of an oversized array or object are not decoded. A key whose value is undefined counts as
 * absent, and unknown keys are dropped.
 */
export const service = <Service extends object>(
  _tag: { readonly of: (service: Service) => Service },
  inputs: Inputs<NoInfer<Service>>,
  implementation: NoInfer<Service>
): Service => {
  /* oxlint-disable typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
     -- `Inputs` checks each method against the schemas of its parameters. The lookup by name loses these types. */
  const declared = inputs as unknown as Readonly<Record<string, ReadonlyArray<Readonly<Record<string, Schema.Top>>>>>
  const guarded = Object.entries(implementation).map(([name, member]: [string, unknown]) => {
    const schemas = declared[name]
    return [name, typeof member === "function" && schemas !== undefined ? decoding(schemas, member as Run) : member]
  })
  return Object.fromEntries(guarded) as Service
  /* oxlint-enable typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion */
}

type Run = (...values: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown, unknown>

const decoding = (schemas: ReadonlyArray<Readonly<Record<string, Schema.Top>>>, run: Run): Run => {
  const declared = schemas.flatMap((argument) =>
    Object.entries(argument).map(([name, schema]): Argument => ({ name, schema }))
  )
  const decoders = declared.map(decoder)
  const method: Run = (...given) => {
    const values: Array<unknown> = []
    const problems: Array<FieldProblem> = []
    for (const [index, decode] of decoders.entries()) {
      const value = decode(given[index])
      if (Result.isSuccess(value)) values.push(value.success)
      else problems.push(...value.failure)
    }
    const [first, ...others] = problems
    return first === undefined ? run(...values) : Effect.fail(new ValidationError({ problems: [first, ...others] }))
  }
  methods.set(method, declared)
  return method
}

type Decode = (given: unknown) => Result.Result<unknown, ReadonlyArray<FieldProblem>>

const decoder = ({ name, schema }: Argument): Decode => {
  const decode = Schema.decodeUnknownResult(Schema.toType(schema), { errors: "all" })
  const prune = Oversize.compile(Schema.toType(schema))
  const withoutLookAlikes = LookAlikes.compile(Schema.toType(schema))
  const at = (field: string): string => (field === "" || field.startsWith("[") ? `${name}${field}` : field)
  return (given) => {
    if (typeof given === "object" && given !== null && known.get(given) === schema) return Result.succeed(given)
    const copied = copy(given)
    if (Result.isFailure(copied)) {
      const { message, path } = copied.failure
      return Result.fail([{ field: at(FieldProblems.formatPath(path)), code: FieldProblems.invalid, message }])
    }
    const { problems, value } = prune(withoutLookAlikes(copied.success))
    const decoded = decode(value)
    if (problems.length === 0 && Result.isSuccess(decoded)) return Result.succeed(decoded.success)
    const others = Result.isSuccess(decoded) ? [] : FieldProblems.fromIssue(decoded.failure.issue)
    return Result.fail(
      FieldProblems.merge(problems, others).map((problem) => ({ ...problem, field: at(problem.field) }))
    )
  }
}
