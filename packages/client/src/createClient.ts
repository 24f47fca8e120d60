import type { List, RequestOptions } from "./common.ts"
import { operations } from "./generated/operations.ts"
import type { Resources } from "./generated/types.ts"
import { type ClientOptions, makeSend, type Send } from "./Transport.ts"

/** A client of the API: its operations by resource. */
export type FrontdeskClient = Resources

/**
 * Returns a client for Frontdesk's HTTP API.
 *
 * ```ts
 * const frontdesk = createClient({ baseUrl: "https://api.example.com", apiKey: "fd_..." })
 * const contact = await frontdesk.contacts.create({ first_name: "Jo" })
 * for await (const { id } of frontdesk.contacts.list({ tag: "vip" })) console.log(id)
 * ```
 *
 * A failure of a GET or POST that may pass is tried again: a lost connection, a timeout, and the statuses 408, 429, 502, 503 and
 * 504. Each POST has an `Idempotency-Key`, so that the server executes it once. Other requests are tried again only beyond the
 * rate limit. Every operation rejects with a `FrontdeskApiError`, or with a `TypeError` for an argument that cannot be sent.
 * `createClient` throws a `TypeError` for a wrong base URL, and for a header or an `apiKey` that cannot be sent.
 */
export const createClient = (options: ClientOptions): FrontdeskClient => {
  const send = makeSend(options)
  const resources: Record<string, Record<string, unknown>> = {}
  for (const [name, methods] of Object.entries(operations)) {
    const resource: Record<string, unknown> = {}
    for (const [method, operation] of Object.entries(methods)) resource[method] = implement(send, operation)
    resources[name] = resource
  }
  /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
     -- The types and the table of operations are generated from the same document. */
  return resources as unknown as FrontdeskClient
}

type Operation = (typeof operations)[string][string]

const implement = (send: Send, [method, template, hasBody, hasQuery, rows]: Operation) => {
  const count = template.split("{").length - 1 + hasBody + hasQuery
  return (...args: ReadonlyArray<unknown>) => {
    const [values, options] = split(args, count)
    let next = 0
    const path = template.replace(/\{\w+\}/g, () => segment(values[next++]))
    const body = hasBody === 1 ? values[next++] : undefined
    const query = hasQuery === 1 ? values[next++] : undefined
    const ask = (asked: unknown) => send({ method, path: path + queryText(asked), body }, options)
    return rows === undefined ? ask(query) : listOf(ask, query, rows)
  }
}

/**
 * Returns the values of an operation, and the options, which come after them. The options may also come in place of values
 * that are left out, because no body or query of the API has a field with the name of an option.
 */
const split = (
  args: ReadonlyArray<unknown>,
  count: number
): readonly [values: ReadonlyArray<unknown>, options: RequestOptions] => {
  const last = args.at(-1)
  if (args.length <= count && isOptions(last)) return [args.slice(0, -1), last]
  const values = args.slice(0, count)
  // Sent as a field, an option would have no effect.
  const lost = Object.keys(isOption).find((name) => values.some((value) => isOption[name]?.(member(value, name))))
  if (lost !== undefined) {
    throw new TypeError(`${lost}: Expected this option in an object of its own, as the last argument`)
  }
  return [values, args[count] ?? {}]
}

const isOption: Readonly<Record<string, (value: unknown) => boolean>> = {
  signal: (value) => value instanceof AbortSignal,
  idempotencyKey: (value) => typeof value === "string"
}

const isOptions = (value: unknown): value is RequestOptions => {
  const fields = Object.entries(value ?? {})
  return fields.length > 0 && fields.every(([name, field]) => isOption[name]?.(field) ?? false)
}

/** Returns an id as a segment of a path. Throws for a value that would lead to another path. */
const segment = (id: unknown): string => {
  const text = typeof id === "string" || typeof id === "number" ? String(id) : ""
  if (text === "" || text === "." || text === "..") throw new TypeError("Expected an id as the first argument")
  return encodeURIComponent(text)
}

type Ask = (query: unknown) => Promise<unknown>

/** Returns a list that sends nothing before it is awaited or iterated. */
const listOf = (ask: Ask, query: unknown, rows: string): List<unknown, unknown> => {
  let requested: Promise<unknown> | undefined
  const page = (): Promise<unknown> => (requested ??= ask(query))
  return {
    // oxlint-disable-next-line unicorn/no-thenable -- A list is a promise that starts when it is awaited.
    then: (onFulfilled, onRejected) => page().then(onFulfilled, onRejected),
    catch: (onRejected) => page().catch(onRejected),
    finally: (onFinally) => page().finally(onFinally),
    [Symbol.toStringTag]: "List",
    [Symbol.asyncIterator]: () => rowsOf(ask, query, rows)
  }
}

/** Returns the rows of the requested page and of the pages behind it. */
async function* rowsOf(ask: Ask, query: unknown, rows: string): AsyncGenerator<unknown, void, undefined> {
  const given = typeof query === "object" ? query : {}
  let page = Number(member(query, "page") ?? 1)
  let next: object = {}
  while (true) {
    const answer = await ask({ ...given, ...next })
    const found = member(answer, rows)
    if (!Array.isArray(found)) return
    yield* found
    const cursor = member(answer, "next_cursor")
    // A list has numbered pages or a cursor. One without either has all its rows at once.
    if (typeof cursor !== "string" && page >= Number(member(answer, "pages") ?? 0)) return
    page += 1
    next = typeof cursor === "string" ? { cursor } : { page }
  }
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** Returns a query with its question mark. Absent and undefined values are left out. */
const queryText = (query: unknown): string => {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") text.set(name, `${value}`)
  }
  return text.size === 0 ? "" : `?${text.toString()}`
}
