import * as Schema from "effect/Schema"

/** What a key may be allowed to do (C-5-2, D-KEY-3). */
export const Permission = Schema.Literals([
  "can_read_agents",
  "can_read_calls",
  "can_write_calls",
  "can_read_contacts",
  "can_write_contacts",
  "can_read_calendar",
  "can_write_calendar",
  "can_read_webhooks",
  "can_write_webhooks"
])

/** What a key may be allowed to do. */
export type Permission = typeof Permission.Type

/** Every permission there is. */
export const all: ReadonlyArray<Permission> = Permission.literals
