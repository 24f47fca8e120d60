import { randomUUIDv7 } from "node:crypto"
import type { Caller } from "./Access.ts"
import type { Database } from "./Database.ts"
import { linkSigner, secretText } from "./EventView.ts"
import {
  type Agent,
  agentAccounts,
  columns,
  isExclusive,
  type NewEvent,
  newRow,
  noAgent,
  overlap,
  requireTeam,
  timesOf
} from "./NewEvent.ts"

const sqliteStored = { time: (millis: number): number => millis, flag: (flag: boolean): number => (flag ? 1 : 0) }

/** The statement that stores a calendar event, with `?` for each column. */
const insertText = `INSERT INTO calendar_event (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
  RETURNING id`

/**
 * Makes the function that creates a calendar event: the row, its reminder, and a delivery for each subscribed webhook,
 * in one transaction.
 */
export const eventWriter = (database: Database): ((caller: Caller, body: NewEvent, now: number) => object) => {
  const agentById = database.reader<Agent>(`SELECT id, account_id, assistant_id, name, role, phone_number, model,
      voice_id, team_id, seconds_used, total_calls, created_at FROM agent
    WHERE (account_id IN (SELECT value FROM json_each(?1)) OR team_id IN (SELECT value FROM json_each(?2)))
      AND id = ?3`)
  const teamById = database.reader<{ readonly id: number }>("SELECT id, name FROM team WHERE id = ?1")
  const overlapping = database.reader(`SELECT 1 FROM calendar_event
    WHERE account_id = ?1 AND busy_class IS NOT NULL AND start_time < ?3 AND end_time > ?2 LIMIT 1`)
  const insert = database.reader<{ readonly id: number }>(insertText)
  const dropReminders = database.writer("DELETE FROM reminder WHERE event_id = ?1 AND due_at <> ?2 AND NOT is_sent")
  const addReminder =
    database.writer(`INSERT INTO reminder (event_id, due_at, is_sent, account_id) VALUES (?1, ?2, FALSE, ?3)
    ON CONFLICT (event_id, due_at) DO NOTHING`)
  const subscribers = database.lister<{ readonly id: number }>(`SELECT id FROM webhook WHERE account_id = ?1
    AND status <> 'disabled' AND EXISTS (SELECT 1 FROM json_each(subscribed_events) WHERE value = ?2) ORDER BY id`)
  const addWebhookEvent = database.reader<{ readonly id: number }>(
    "INSERT INTO webhook_event (account_id, name, created_at, body) VALUES (?1, ?2, ?3, ?4) RETURNING id"
  )
  const addDelivery = database.writer(`INSERT INTO webhook_delivery
      (delivery_id, event_id, webhook_id, subject, state, kind, due_at, results, claims, attempts, ready_account_id, account_id)
    VALUES (?1, ?2, ?3, ?4, 'pending', 'automatic', ?5, 0, 0, 0, ?6, ?6)`)
  const link = linkSigner(database.reader<{ readonly value: string }>(secretText)()?.value)

  const agentOf = (caller: Caller, id: number): Agent => {
    const teams = caller.role === "standard" ? caller.teamIds : "[]"
    const agent = agentById(JSON.stringify(agentAccounts(caller)), teams, id)
    if (agent === undefined) throw noAgent()
    return agent
  }

  return (caller, body, now) =>
    database.transaction(() => {
      const times = timesOf(caller, body)
      const agent = body.ai_agent_id === undefined ? undefined : agentOf(caller, body.ai_agent_id)
      const teamId =
        body.team_id === undefined ? null : requireTeam(caller, body.team_id, teamById(body.team_id) !== undefined)
      if (isExclusive(caller, body) && overlapping(caller.accountId, times.startTime, times.endTime) !== undefined) {
        throw overlap()
      }
      const row = newRow(sqliteStored, caller, body, times, agent, teamId, now)
      const id = insert(...row.values)?.id
      if (id === undefined) throw new Error("The row has no id.")
      if (row.reminderAt !== undefined) {
        dropReminders(id, row.reminderAt)
        addReminder(id, row.reminderAt, caller.accountId)
      }
      const hooks = subscribers(caller.accountId, "calendar.created")
      if (hooks.length > 0) {
        const webhookEvent = addWebhookEvent(caller.accountId, "calendar.created", now, row.payload(id, link))
        if (webhookEvent === undefined) throw new Error("The row has no id.")
        for (const hook of hooks)
          addDelivery(randomUUIDv7(), webhookEvent.id, hook.id, `event:${id}`, now, caller.accountId)
      }
      return row.answer(id)
    })
}
