import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"
import type { Answer } from "../request/Exchange.ts"
import * as Xml from "./Xml.ts"

/** The namespace of WebDAV as a prefix of names. */
export const dav = "{DAV:}"

/** The namespace of CalDAV as a prefix of names. */
export const caldav = "{urn:ietf:params:xml:ns:caldav}"

/** One resource of a 207 answer (RFC 4918 14.24). */
export interface Resource {
  /** The URL as the server writes it, absolute or relative. */
  readonly href: string
  /** The status of the resource as a whole. Null when the resource has properties instead. */
  readonly status: number | null
  /** The properties that the server found. */
  readonly properties: ReadonlyArray<Xml.Element>
  /** The conditions that were not fulfilled (RFC 4918 16), without their namespace. */
  readonly conditions: ReadonlyArray<string>
}

/** Returns the property with a name, or undefined when the resource does not have it. */
export const property = ({ properties }: Resource, name: string): Xml.Element | undefined =>
  properties.find((element) => element.name === name)

/**
 * Returns the resources of a 207 answer. Fails with `transport` when the body is not XML: it is incomplete, or comes from
 * another server. Fails with `invalid` when it is another document, or when a resource has no href.
 */
export const parse = Effect.fnUntraced(function* (
  answer: Answer
): Effect.fn.Return<ReadonlyArray<Resource>, CalendarSyncError> {
  const failure = (reason: "invalid" | "transport", problem: string) =>
    new CalendarSyncError({ reason, cause: `${answer.requestLine}: ${answer.status}: ${problem}` })
  const root = yield* Effect.try({
    try: () => Xml.parse(answer.body),
    catch: () => failure("transport", "the body is not XML")
  })
  if (answer.status !== 207 || root.name !== `${dav}multistatus`) {
    return yield* failure("invalid", "the answer is not a WebDAV multistatus")
  }
  const resources = Xml.all(root, `${dav}response`).map(resourceOf)
  if (resources.some(({ href }) => href === "")) return yield* failure("invalid", "a response has no href")
  return resources
})

const resourceOf = (response: Xml.Element): Resource => ({
  href: Xml.first(response, `${dav}href`)?.text.trim() ?? "",
  status: statusOf(response),
  properties: Xml.all(response, `${dav}propstat`)
    .filter((propstat) => (statusOf(propstat) ?? 200) === 200)
    .flatMap((propstat) => Xml.first(propstat, `${dav}prop`)?.children ?? []),
  conditions: [response, ...Xml.all(response, `${dav}propstat`)].flatMap((element) =>
    conditionsOf(Xml.first(element, `${dav}error`))
  )
})

const statusOf = (element: Xml.Element): number | null => {
  const status = /^HTTP\/\S+ (\d{3})\b/.exec(Xml.first(element, `${dav}status`)?.text.trim() ?? "")?.[1]
  return status === undefined ? null : Number(status)
}

/** Returns the conditions in the body of an error (RFC 4918 16), or none when the body is not XML. */
export const conditionsIn = (body: string): ReadonlyArray<string> => {
  try {
    const root = Xml.parse(body)
    return root.name === `${dav}error` ? conditionsOf(root) : []
  } catch {
    return []
  }
}

const conditionsOf = (error: Xml.Element | undefined): ReadonlyArray<string> =>
  error?.children.map(({ name }) => name.replace(/^\{.*\}/, "")) ?? []
