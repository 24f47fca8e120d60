import type { Account, PatchAccount } from "@frontdesk/client"
import { minutesOf } from "../ui/formats.ts"

/** A range of times of a day: the start and the end as `HH:MM`. The end may be `24:00`. */
export type TimeRange = readonly [start: string, end: string]

/** The weekdays, as the API names them, and as a person does. */
export const weekdays = [
  ["mon", "Monday"],
  ["tue", "Tuesday"],
  ["wed", "Wednesday"],
  ["thu", "Thursday"],
  ["fri", "Friday"],
  ["sat", "Saturday"],
  ["sun", "Sunday"]
] as const satisfies ReadonlyArray<readonly [keyof Account["working_hours"], string]>

export type Weekday = (typeof weekdays)[number][0]

/** Every field of a contact that agents may be allowed to change. */
export const contactFields = [
  "first_name",
  "last_name",
  "email",
  "company",
  "website",
  "address",
  "city",
  "state",
  "zip_code",
  "country"
] as const satisfies Account["agent_contact_fields"]

/** The fields of the account that its owner changes. */
type Settings = Pick<
  Account,
  | "name"
  | "time_zone"
  | "language"
  | "working_hours"
  | "date_overrides"
  | "slot_interval_minutes"
  | "buffer_before_minutes"
  | "buffer_after_minutes"
  | "minimum_notice_minutes"
  | "reject_conflicts"
  | "contact_statuses"
  | "contact_stages"
  | "inbound_identity"
  | "inbound_contacts"
  | "agent_contact_fields"
>

/** The settings as the controls of the form have them. A number is text, because a person types it. */
export interface Draft {
  readonly name: string
  readonly timeZone: string
  readonly language: string
  readonly workingHours: { readonly [Day in Weekday]: ReadonlyArray<TimeRange> }
  readonly dateOverrides: { readonly [date: string]: ReadonlyArray<TimeRange> }
  readonly slotInterval: string
  readonly bufferBefore: string
  readonly bufferAfter: string
  readonly minimumNotice: string
  readonly rejectConflicts: boolean
  /** One status on each line. Null: any status. */
  readonly contactStatuses: string | null
  readonly contactStages: string | null
  readonly inboundIdentity: Account["inbound_identity"]
  readonly inboundContacts: Account["inbound_contacts"]
  readonly agentContactFields: Account["agent_contact_fields"]
}

/** What a person has changed and not saved. A field that is absent shows what is stored, also when another person changes it. */
export type Edits = Partial<Draft>

const linesOf = (choices: ReadonlyArray<string> | null): string | null => choices?.join("\n") ?? null

const choicesOf = (lines: string | null): ReadonlyArray<string> | null =>
  lines === null ? null : [...new Set(lines.split("\n").map((line) => line.trim()))].filter((line) => line !== "")

/** Returns the controls of the form for an account. */
export const draftOf = (account: Account): Draft => {
  const { mon = [], tue = [], wed = [], thu = [], fri = [], sat = [], sun = [] } = account.working_hours
  return {
    name: account.name,
    timeZone: account.time_zone,
    language: account.language,
    workingHours: { mon, tue, wed, thu, fri, sat, sun },
    dateOverrides: account.date_overrides,
    slotInterval: account.slot_interval_minutes === null ? "" : String(account.slot_interval_minutes),
    bufferBefore: String(account.buffer_before_minutes),
    bufferAfter: String(account.buffer_after_minutes),
    minimumNotice: String(account.minimum_notice_minutes),
    rejectConflicts: account.reject_conflicts,
    contactStatuses: linesOf(account.contact_statuses),
    contactStages: linesOf(account.contact_stages),
    inboundIdentity: account.inbound_identity,
    inboundContacts: account.inbound_contacts,
    agentContactFields: account.agent_contact_fields
  }
}

/** Returns the parts of a list or an object in one order, so that two that mean the same are equal as text. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => a.localeCompare(b)))
      : part
  )

const settingsOf = (draft: Draft): Settings => ({
  name: draft.name.trim(),
  time_zone: draft.timeZone.trim(),
  language: draft.language.trim(),
  working_hours: draft.workingHours,
  date_overrides: draft.dateOverrides,
  slot_interval_minutes: draft.slotInterval === "" ? null : Number(draft.slotInterval),
  buffer_before_minutes: Number(draft.bufferBefore),
  buffer_after_minutes: Number(draft.bufferAfter),
  minimum_notice_minutes: Number(draft.minimumNotice),
  reject_conflicts: draft.rejectConflicts,
  contact_statuses: choicesOf(draft.contactStatuses),
  contact_stages: choicesOf(draft.contactStages),
  inbound_identity: draft.inboundIdentity,
  inbound_contacts: draft.inboundContacts,
  agent_contact_fields: contactFields.filter((field) => draft.agentContactFields.includes(field))
})

/** Returns those fields whose values differ from the present ones. */
function changed<A extends object>(present: A, next: A): Partial<A> {
  const changes: Partial<A> = {}
  for (const name in next) if (textOf(next[name]) !== textOf(present[name])) changes[name] = next[name]
  return changes
}

/** Returns the changes to save. Without changes it has no field. */
export const changesOf = (account: Account, edits: Edits): PatchAccount => {
  const draft = draftOf(account)
  return changed(settingsOf(draft), settingsOf({ ...draft, ...edits }))
}

/** Returns ranges of times as a person reads them. */
export const textOfRanges = (ranges: ReadonlyArray<TimeRange>): string =>
  ranges.length === 0 ? "Closed" : ranges.map(([start, end]) => `${start} – ${end}`).join(", ")

/** Returns why the ranges of one day cannot be meant as they are, or undefined. The API accepts ranges that overlap. */
export const problemOfRanges = (ranges: ReadonlyArray<TimeRange>): string | undefined => {
  const sorted = ranges
    .filter(([start, end]) => start !== "" && end !== "")
    .map(([start, end]) => [minutesOf(start), minutesOf(end)] as const)
    .toSorted(([a], [b]) => a - b)
  if (sorted.some(([start, end]) => start >= end)) return "The start must be before the end."
  return sorted.some(([start], index) => start < (sorted[index - 1]?.[1] ?? 0))
    ? "Two times of this day overlap. Change or remove one."
    : undefined
}

/** Returns whether the changed hours of a day or a date have a problem that the form shows. */
export const hasProblem = ({ dateOverrides, workingHours }: Edits): boolean =>
  [...Object.values(workingHours ?? {}), ...Object.values(dateOverrides ?? {})].some(
    (ranges) => problemOfRanges(ranges) !== undefined
  )

/** Returns a length in minutes in days, hours and minutes, such as `1 day 2 hours`. Undefined for a text that is no number. */
export const lengthOf = (text: string): string | undefined => {
  const minutes = Number(text)
  if (text === "" || !Number.isInteger(minutes) || minutes < 0) return undefined
  const parts = (
    [
      [Math.floor(minutes / 1_440), "day"],
      [Math.floor((minutes % 1_440) / 60), "hour"],
      [minutes % 60, "minute"]
    ] as const
  ).filter(([count]) => count > 0)
  return parts.map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`).join(" ") || "0 minutes"
}
