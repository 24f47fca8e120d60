import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"
import type { Answer } from "../request/Exchange.ts"
import * as Xml from "./Xml.ts"

/** The namespace of WebDAV as a prefix of names. */
export const dav = "{DAV:}"

/** The namespace of CalDAV as a prefix of names. */
export const caldav = "{urn:ietf:params:xml:ns:caldav}"

/** What a 207 answer says of one resource (RFC 4918 14.24). */
export interface Resource {
  /** As it is written there: absolute or not. */
  readonly href: string
  /** Of the resource as a whole; null when it has properties instead. */
  readonly status: number | null
  /** The properties that were found, whatever was asked for. */
  readonly properties: ReadonlyArray<Xml.Element>
  /** The conditions that were not met (RFC 4918 16), without their namespace. */
  readonly conditions: ReadonlyArray<string>
}

/** The property of that name. */
export const property = ({ properties }: Resource, name: string): Xml.Element | undefined =>
  properties.find((element) => element.name === name)

/**
 * The resources of a 207 answer. What cannot be read did not come whole, or not from a calendar server: `transport` when
 * it is no XML, `invalid` when it is another document, or tells of something without a name.
 */
export const parse = Effect.fnUntraced(function* (
  answer: Answer
): Effect.fn.Return<ReadonlyArray<Resource>, CalendarSyncError> {
  const failure = (reason: "invalid" | "transport", says: string) =>
    new CalendarSyncError({ reason, cause: `${answer.asked}: ${answer.status}: ${says}` })
  const root = yield* Effect.try({
    try: () => Xml.parse(answer.body),
    catch: () => failure("transport", "the body is no XML")
  })
  if (answer.status !== 207 || root.name !== `${dav}multistatus`) {
    return yield* failure("invalid", "the answer is none of WebDAV")
  }
  const resources = Xml.all(root, `${dav}response`).map(resourceOf)
  if (resources.some(({ href }) => href === "")) return yield* failure("invalid", "a response names no resource")
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

/** The conditions that the body of an error names; none when it is no XML (RFC 4918 16). */
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
