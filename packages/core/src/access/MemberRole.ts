import * as Schema from "effect/Schema"
import * as Permission from "./Permission.ts"

/**
 * What a person may do in the dashboard of an account (D-MEM-1).
 *
 * - `owner`: everything, also API keys, people and the settings of the account.
 * - `editor`: reads and changes what the account works with: contacts, calendar events, calls, agents, webhooks.
 * - `viewer`: reads the same, and changes nothing.
 */
export const MemberRole = Schema.Literals(["owner", "editor", "viewer"])

/** What a person may do in the dashboard of an account. */
export type MemberRole = typeof MemberRole.Type

const viewer: ReadonlyArray<Permission.Permission> = [
  "can_read_agents",
  "can_read_calls",
  "can_read_contacts",
  "can_read_calendar",
  "can_read_webhooks",
  "can_read_account"
]

const editor: ReadonlyArray<Permission.Permission> = [
  ...viewer,
  "can_write_agents",
  "can_write_calls",
  "can_write_contacts",
  "can_write_calendar",
  "can_write_webhooks"
]

const permissions: { readonly [R in MemberRole]: ReadonlyArray<Permission.Permission> } = {
  owner: Permission.all,
  editor,
  viewer
}

/** Returns the permissions of a role. An owner has all of them. */
export const permissionsOf = (role: MemberRole): ReadonlyArray<Permission.Permission> => permissions[role]

/**
 * Returns whether a role only reads. The permissions alone do not say so: the contract allows changes of a contact with
 * `can_read_contacts` (D-KEY-2).
 */
export const isReadOnly = (role: MemberRole): boolean => role === "viewer"
