import * as Multistatus from "./Multistatus.ts"
import * as Xml from "./Xml.ts"

const { caldav, dav, property } = Multistatus

/** The properties of a collection that the functions of this module read, for `propfind`. */
export const collectionProperties = [
  "D:resourcetype",
  "D:displayname",
  "D:current-user-privilege-set",
  "C:supported-calendar-component-set"
]

/** Returns whether a resource is a calendar (RFC 4791 4.2). */
export const isCalendar = (resource: Multistatus.Resource): boolean =>
  Xml.first(property(resource, `${dav}resourcetype`), `${caldav}calendar`) !== undefined

/** Returns whether a calendar supports events. Without the property it supports every component (RFC 4791 5.2.3). */
export const supportsEvents = (resource: Multistatus.Resource): boolean => {
  const components = property(resource, `${caldav}supported-calendar-component-set`)
  return components === undefined || components.children.some(({ attributes }) => attributes["name"] === "VEVENT")
}

/** Returns whether the account may write to a calendar. Returns true without the property (RFC 3744 5.4). */
export const isWritable = (resource: Multistatus.Resource): boolean => {
  const privileges = property(resource, `${dav}current-user-privilege-set`)
  if (privileges === undefined) return true
  const granted = new Set(privileges.children.flatMap(({ children }) => children.map(({ name }) => name)))
  const has = (name: string): boolean => granted.has(dav + name)
  return has("all") || has("write") || (has("write-content") && has("bind"))
}

/** Returns the display name of a collection, or "" when it has none. */
export const nameOf = (resource: Multistatus.Resource): string =>
  property(resource, `${dav}displayname`)?.text.trim() ?? ""
