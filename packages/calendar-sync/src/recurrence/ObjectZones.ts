import * as TimeZone from "@frontdesk/core/values/TimeZone"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type ICAL from "ical.js"
import * as WindowsZones from "../zone/WindowsZones.ts"
import type { Budget } from "./StepBudget.ts"
import * as CalendarText from "./CalendarText.ts"
import type { ZoneOf } from "./IcsTime.ts"
import * as Observances from "./Observances.ts"
import { ofName, utc, type Zone } from "./IcsZone.ts"

/**
 * Returns a function that finds the zone of a TZID in an iCalendar object:
 *
 * 1. the IANA zone, if the TZID is an IANA name, or ends in one after a unique prefix (RFC 5545 3.8.3.1). The VTIMEZONE of
 *    the object is ignored then, because it often has only some of the zone's rules;
 * 2. the zone that the VTIMEZONE of the object defines;
 * 3. the zone with this Windows name.
 *
 * The function throws for any other TZID.
 *
 * @param floating the zone of times without a TZID
 */
export const ofObject = (object: ICAL.Component, floating: Zone, budget: Budget): ZoneOf => {
  const known = new Map<string, Zone>()
  return (tzid) => {
    if (tzid === null) return floating
    const zone = known.get(tzid) ?? ianaZone(tzid) ?? definedZone(object, tzid, budget)
    known.set(tzid, zone)
    return zone
  }
}

/**
 * Returns the zone of a calendar (RFC 4791 5.2.2): a VCALENDAR with a VTIMEZONE. Returns undefined without a VTIMEZONE.
 *
 * @throws when the text cannot be parsed
 */
export const ofDefinition = (text: string, budget: Budget): Zone | undefined => {
  const object = CalendarText.parse(text)
  const tzid = object.getFirstSubcomponent("vtimezone")?.getFirstPropertyValue("tzid")
  return typeof tzid === "string" ? ofObject(object, utc, budget)(tzid) : undefined
}

const decode = Schema.decodeUnknownOption(TimeZone.TimeZone)

const ianaZone = (tzid: string): Zone | undefined => {
  const parts = tzid.split("/")
  const names = tzid.startsWith("/") ? [3, 2].map((count) => parts.slice(-count).join("/")) : [tzid]
  return Option.match(Option.firstSomeOf(names.map((name) => decode(name))), {
    onNone: () => undefined,
    onSome: ofName
  })
}

const definedZone = (object: ICAL.Component, tzid: string, budget: Budget): Zone => {
  const definition = object
    .getAllSubcomponents("vtimezone")
    .find((component) => component.getFirstPropertyValue("tzid") === tzid)
  if (definition !== undefined) {
    const text = definition.toString()
    const zone = budget.zones.get(text) ?? Observances.zoneOf(definition, budget)
    budget.zones.set(text, zone)
    return zone
  }
  const zone = WindowsZones.zoneOf(tzid)
  if (zone === null) throw new Error(`the time zone is unknown: ${tzid.slice(0, 100)}`)
  return ofName(zone)
}
