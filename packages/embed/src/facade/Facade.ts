import { type Argument, argumentsOf } from "@frontdesk/core/values/Input"
import { foreign } from "@frontdesk/core/values/PlainCopy"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { type FrontdeskError, isFrontdeskError } from "../failure/FrontdeskError.ts"
import * as Failure from "../failure/Failure.ts"
import type { CallOptions, Page as PlainPage } from "../types/common.ts"
import * as Arguments from "./Arguments.ts"
import * as ListResult from "./List.ts"
import * as SchemaFields from "./SchemaFields.ts"
import { aliases, hidden } from "./Services.ts"

/** Runs the effect of a method, and resolves with its plain result. */
export type Run = (
  effect: Effect.Effect<unknown, unknown, unknown>,
  called: Failure.Called,
  options: CallOptions
) => Promise<unknown>

type Method = (...given: ReadonlyArray<unknown>) => unknown

type Invoke = (run: Run, values: ReadonlyArray<unknown>, options: CallOptions) => Promise<unknown>

/** A service as methods that take plain values and return promises. */
export type Methods = Readonly<Record<string, Method>>

/** Returns a function that makes the {@link Methods} of a service of the core for a caller. */
export const compile = (name: string, service: object): ((run: Run) => Methods) => {
  const methods = new Map<string, (run: Run) => Method>()
  for (const key of Object.keys(service)) {
    if (hidden.has(`${name}.${key}`)) continue
    const member: unknown = Reflect.get(service, key)
    const called = { name: `${name}.${key}`, args: argsOf(member) }
    methods.set(key, methodOf(service, member, called))
  }
  for (const [alias, key] of Object.entries(aliases[name] ?? {})) {
    const method = methods.get(key)
    if (method !== undefined) methods.set(alias, method)
  }
  return (run) => Object.fromEntries([...methods].map(([key, method]) => [key, method(run)]))
}

/** Returns the arguments of a member. A member without arguments is an effect and not a function. */
const argsOf = (member: unknown): ReadonlyArray<Argument> =>
  typeof member === "function" ? (argumentsOf(member) ?? []) : []

const methodOf = (service: object, member: unknown, called: Failure.Called): ((run: Run) => Method) => {
  // A function that runs inside the transaction of the core cannot come from outside.
  const args = called.args.filter(({ name }) => name !== "onCommit")
  const invoke = invokeOf(member, { ...called, args })
  const last = args.at(-1)
  if (last?.schema === Page.PageRequest) {
    const hasFilter = args.length > 1
    return listOf(service, called, Math.max(args.length - 1, 1), splitPage(invoke, hasFilter))
  }
  if (last !== undefined && SchemaFields.has(last.schema, "page")) {
    return listOf(service, called, args.length, invoke)
  }
  return called.name.endsWith(".list") ? wholeList(args.length, invoke) : single(args.length, invoke)
}

/** Returns a function that converts the values and calls the member. */
const invokeOf = (member: unknown, called: Failure.Called): Invoke => {
  const { args, name } = called
  const converts = args.map(Arguments.compile)
  const effectOf = (values: ReadonlyArray<unknown>): Effect.Effect<unknown, unknown, unknown> => {
    if (Effect.isEffect(member)) return member
    const inputs = converts.map((convert, index) => convert(values[index]))
    const result: unknown = typeof member === "function" ? Reflect.apply(member, undefined, inputs) : undefined
    return Effect.isEffect(result) ? result : Effect.die(new Error(`${name} returned no effect`))
  }
  return (run, values, options) =>
    run(
      Effect.suspend(() => effectOf(values)),
      called,
      options
    )
}

/**
 * Returns the values of the arguments, and the options, which come after them. The options may also come in place of
 * arguments that are left out, because no input of the core has a field `signal`.
 */
const split = (
  given: ReadonlyArray<unknown>,
  count: number
): { readonly values: ReadonlyArray<unknown>; readonly options: CallOptions } => {
  const last = given.at(-1)
  if (given.length <= count && isOptions(last)) return { values: given.slice(0, -1), options: last }
  const options = given[count]
  return { values: given.slice(0, count), options: isOptions(options) ? options : {} }
}

/** Returns copies of the arguments, or the error for an argument that cannot be read. */
const plain = (values: ReadonlyArray<unknown>): Result.Result<ReadonlyArray<unknown>, FrontdeskError> => {
  const copies: Array<unknown> = []
  for (const value of values) {
    const read = Arguments.read(value)
    if (Result.isFailure(read)) return Result.fail(read.failure)
    // What is not plain becomes `foreign` in a copy. Otherwise the call would ignore the signal.
    if (Predicate.hasProperty(read.success, "signal") && read.success.signal === foreign) {
      return Result.fail(Failure.ofField("signal", "Expected the signal in an object of its own, as the last argument"))
    }
    copies.push(read.success)
  }
  return Result.succeed(copies)
}

const isOptions = (value: unknown): value is CallOptions => {
  try {
    return (
      Predicate.hasProperty(value, "signal") &&
      Object.keys(value).length === 1 &&
      (value.signal === undefined || value.signal instanceof AbortSignal)
    )
  } catch {
    // A revoked proxy.
    return false
  }
}

const single =
  (count: number, invoke: Invoke) =>
  (run: Run): Method =>
  (...given) => {
    const { options, values } = split(given, count)
    const copied = plain(values)
    return Result.isSuccess(copied) ? invoke(run, copied.success, options) : Promise.reject(copied.failure)
  }

/** Returns a function that takes filter and page in one object, and calls a method that takes them one after another. */
const splitPage =
  (invoke: Invoke, hasFilter: boolean): Invoke =>
  (run, values, options) => {
    const query = values.at(-1)
    // Not an object: the service rejects it in the place of the filter.
    if (query !== undefined && !isQuery(query)) return invoke(run, values, options)
    const { limit, page, ...filter }: Record<string, unknown> = { ...query }
    const request = {
      page: page ?? 1,
      limit: typeof limit === "number" ? Math.min(limit, Page.maxLimit) : (limit ?? Page.defaultLimit)
    }
    return invoke(run, [...values.slice(0, -1), ...(hasFilter ? [filter] : []), request], options)
  }

/** The filter and the page of a list, as the program gave them. */
type Query = Readonly<Record<string, unknown>>

const isQuery = (value: unknown): value is Query => Predicate.isObject(value) && !Array.isArray(value)

/** Returns a method whose list has pages. The last argument has the filter and the page. */
const listOf = (service: object, called: Failure.Called, count: number, invoke: Invoke) => {
  const get: unknown = Reflect.get(service, "get")
  const getCalled = { name: called.name.replace(/\.\w+$/, ".get"), args: argsOf(get) }
  // The rows of other lists, such as the deliveries of a webhook, have no large fields.
  const hasGet = called.name.endsWith(".list") && typeof get === "function"
  const readRow = hasGet ? invokeOf(get, getCalled) : undefined
  return (run: Run): Method =>
    (...given) => {
      const { options, values } = split(given, count)
      const read = async (changesOf: (query: Query) => object): Promise<PlainPage<unknown>> => {
        const copied = Result.getOrThrow(plain(values))
        const leading = Array.from({ length: count - 1 }, (_, index) => copied[index])
        const query = copied[count - 1] ?? {}
        const changed = isQuery(query) ? { ...query, ...changesOf(query) } : query
        /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
           -- A method whose last argument is a page returns a page. */
        return (await invoke(run, [...leading, changed], options)) as PlainPage<unknown>
      }
      return ListResult.make({
        first: () => read(() => ({})),
        // The rows of the pages before are left out only when all pages have the requested size.
        next: (index) =>
          read(({ limit, page = 1 }) => ({
            ...(typeof page === "number" && { page: page + index }),
            ...(page === 1 && (limit === undefined || Page.isLimit(limit)) && { limit: Page.maxLimit })
          })),
        whole: async (row) => {
          if (readRow === undefined || !Predicate.hasProperty(row, "id")) return row
          try {
            return sameFields(row, await readRow(run, [row.id], options))
          } catch (error) {
            // The row was deleted meanwhile.
            if (isFrontdeskError(error, "not_found")) return undefined
            throw error
          }
        }
      })
    }
}

/** Returns the fields of a whole row that the row of the list has. A `get` may show more, such as the tool calls of a call. */
const sameFields = (row: object, whole: unknown): unknown =>
  Predicate.isObject(whole) ? Object.fromEntries(Object.entries(whole).filter(([name]) => name in row)) : whole

/** Returns a method whose list has no pages. */
const wholeList =
  (count: number, invoke: Invoke) =>
  (run: Run): Method =>
  (...given) => {
    const { options, values } = split(given, count)
    const first = async (): Promise<PlainPage<unknown>> => {
      const result = await invoke(run, Result.getOrThrow(plain(values)), options)
      const items: ReadonlyArray<unknown> = Array.isArray(result) ? result : []
      return { items, count: items.length, page: 1, limit: items.length }
    }
    return ListResult.make({ first, next: null, whole: (row) => Promise.resolve(row) })
  }
