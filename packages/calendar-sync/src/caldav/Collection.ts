import * as Multistatus from "./Multistatus.ts"
import * as Xml from "./Xml.ts"

const { caldav, dav, property } = Multistatus

/** The properties of a collection that tell whether and how it can be used, for `propfind`. */
export const described = [
  "D:resourcetype",
  "D:displayname",
  "D:current-user-privilege-set",
  "C:supported-calendar-component-set"
]

/** Whether a resource is a calendar (RFC 4791 4.2). */
export const isCalendar = (resource: Multistatus.Resource): boolean =>
  Xml.first(property(resource, `${dav}resourcetype`), `${caldav}calendar`) !== undefined

/** Whether a calendar takes events; one that does not say takes everything (RFC 4791 5.2.3). */
export const takesEvents = (resource: Multistatus.Resource): boolean => {
  const components = property(resource, `${caldav}supported-calendar-component-set`)
  return components === undefined || components.children.some(({ attributes }) => attributes["name"] === "VEVENT")
}

/** Whether the account may write into a calendar; true when the server does not say (RFC 3744 5.4). */
export const isWritable = (resource: Multistatus.Resource): boolean => {
  const privileges = property(resource, `${dav}current-user-privilege-set`)
  if (privileges === undefined) return true
  const granted = new Set(privileges.children.flatMap(({ children }) => children.map(({ name }) => name)))
  const has = (name: string): boolean => granted.has(dav + name)
  return has("all") || has("write") || (has("write-content") && has("bind"))
}

/** The name that people gave it; "" when there is none. */
export const nameOf = (resource: Multistatus.Resource): string =>
  property(resource, `${dav}displayname`)?.text.trim() ?? ""
