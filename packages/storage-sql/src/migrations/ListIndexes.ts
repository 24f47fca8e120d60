import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * The indexes of an owner (an account or a team) for the filters of a list that had none. Each has the columns of the
 * order, and the other columns that lists filter by, so that combined filters read no rows.
 */
const ofTeams = [
  "contact_team_status ON contact (team_id, status, id, account_id, stage) WHERE team_id IS NOT NULL",
  "contact_team_stage ON contact (team_id, stage, id, account_id, status) WHERE team_id IS NOT NULL",
  "call_team_status ON call (team_id, status, created_at, id, account_id, type) WHERE team_id IS NOT NULL",
  "call_team_type ON call (team_id, type, created_at, id, account_id, status) WHERE team_id IS NOT NULL",
  "call_team_agent ON call (team_id, agent_id, created_at, id, account_id, status, type) WHERE team_id IS NOT NULL",
  "call_team_contact ON call (team_id, contact_id, created_at, id, account_id, status, type) WHERE team_id IS NOT NULL",
  `call_team_phone_number ON call (team_id, phone_number, created_at, id, account_id, status, type)
    WHERE team_id IS NOT NULL`,
  `calendar_event_team_status ON calendar_event (team_id, status, start_time, id, account_id, event_type)
    WHERE team_id IS NOT NULL`,
  `calendar_event_team_type ON calendar_event (team_id, event_type, start_time, id, account_id, status)
    WHERE team_id IS NOT NULL`,
  `calendar_event_team_agent
    ON calendar_event (team_id, ai_agent_id, start_time, id, account_id, status, event_type)
    WHERE team_id IS NOT NULL AND ai_agent_id IS NOT NULL`,
  `calendar_event_team_customer
    ON calendar_event (team_id, customer_email_key, start_time, id, account_id, status, event_type)
    WHERE team_id IS NOT NULL AND customer_email_key IS NOT NULL`
]

const ofAccounts = [
  "contact_stage ON contact (account_id, stage, id, status)",
  "call_type ON call (account_id, type, created_at, id, status)",
  "calendar_event_type ON calendar_event (account_id, event_type, start_time, id, status)"
]

/** Adds an index for each filter of the lists of contacts, calls and calendar events (D-STO-12). */
export const listIndexes = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const index of [...ofAccounts, ...ofTeams]) yield* sql.unsafe(`CREATE INDEX ${index}`)
})

/**
 * Adds an index over the status of deliveries that callers see (D-STO-12). The index over the deliveries of a webhook no
 * longer has their state, so that a claim does not write to it. It is the last statement, because reads wait for it.
 */
export const deliveryIndexes = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe(
    `CREATE INDEX webhook_delivery_status
      ON webhook_delivery (webhook_id, (CASE state WHEN 'leased' THEN 'pending' ELSE state END), id)`
  )
  yield* sql.unsafe("CREATE INDEX webhook_delivery_listed ON webhook_delivery (webhook_id, id)")
  yield* sql.unsafe("DROP INDEX webhook_delivery_webhook")
})
