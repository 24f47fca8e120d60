/**
 * The tables with the data of an installation: every table of the migrations except `installation`, the list of applied
 * migrations, and in PostgreSQL the buckets of the rate limit and the named locks.
 */
export const tableNames: ReadonlyArray<string> = [
  "account",
  "team",
  "account_team",
  "fund_movement",
  "api_key",
  "api_key_hash",
  "installation_secret",
  "provisioned_ref",
  "row_count",
  "idempotency_key",
  "contact",
  "contact_number",
  "contact_tag",
  "do_not_call_number",
  "contact_import",
  "contact_import_part",
  "contact_import_refused",
  "variable",
  "business_value",
  "agent",
  "call",
  "slot_hold",
  "tool_call",
  "calendar_event",
  "reminder",
  "calendar_connection",
  "outbox_task",
  "webhook",
  "webhook_event",
  "webhook_delivery",
  "webhook_attempt"
]
