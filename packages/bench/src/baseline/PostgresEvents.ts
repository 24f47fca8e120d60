import { select } from "@frontdesk/storage-sql/calendar-event/CalendarEventRow"
import { randomUUIDv7 } from "node:crypto"
import type { Pool, PoolClient } from "pg"
import { type Caller, Refused } from "./Access.ts"
import { type CalendarEventRow, eventView, isId, linkSigner, secretText } from "./EventView.ts"
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
  type Stored,
  timesOf
} from "./NewEvent.ts"
import { statement, transaction } from "./PostgresDatabase.ts"

const ids = (parameter: string): string => `ANY (CAST(translate(${parameter}, '[]', '{}') AS bigint[]))`

const visible = `${select}
  WHERE (calendar_event.account_id = $1 OR calendar_event.team_id = ${ids("$2")}) AND calendar_event.`

const byId = statement<CalendarEventRow>(`${visible}id = $3`)
const byUuid = statement<CalendarEventRow>(`${visible}uuid = $3`)

/** Returns the function that signs the links of calendar events. */
export const readLinkSigner = async (pool: Pool): Promise<(uuid: string) => string> => {
  const { rows } = await pool.query<{ readonly value: string }>(secretText)
  return linkSigner(rows[0]?.value)
}

/** Makes the function that reads a calendar event that the caller may see. */
export const eventReader =
  (pool: Pool, link: (uuid: string) => string) =>
  async (caller: Caller, key: string): Promise<object> => {
    const [event] = isId(key)
      ? await byId(pool, caller.accountId, caller.teamIds, Number(key))
      : await byUuid(pool, caller.accountId, caller.teamIds, key.toLowerCase())
    if (event === undefined) throw new Refused(404, "not_found", "No event has this id")
    return eventView(event, link)
  }

interface Identified {
  readonly id: number
}

const agentById = statement<Agent>(`SELECT id, account_id, assistant_id, name, role, phone_number, model, voice_id,
    team_id, seconds_used, total_calls, created_at FROM agent
  WHERE (account_id = ${ids("$1")} OR team_id = ${ids("$2")}) AND id = $3`)
const teamById = statement<Identified>("SELECT id, name FROM team WHERE id = $1")
const overlapping = statement(`SELECT 1 FROM calendar_event
  WHERE account_id = $1 AND busy_class IS NOT NULL AND start_time < $3 AND end_time > $2 LIMIT 1`)
const insert = statement<Identified>(`INSERT INTO calendar_event (${columns.join(", ")})
  VALUES (${columns.map((_, index) => `$${index + 1}`).join(", ")}) RETURNING id`)
const dropReminders = statement("DELETE FROM reminder WHERE event_id = $1 AND due_at <> $2 AND NOT is_sent")
const addReminder = statement(`INSERT INTO reminder (event_id, due_at, is_sent, account_id) VALUES ($1, $2, FALSE, $3)
  ON CONFLICT (event_id, due_at) DO NOTHING`)
const subscribers = statement<Identified>(`SELECT id FROM webhook WHERE account_id = $1 AND status <> 'disabled'
  AND CAST(subscribed_events AS jsonb) @> to_jsonb(CAST($2 AS text)) ORDER BY id FOR KEY SHARE OF webhook`)
const addWebhookEvent = statement<Identified>(
  "INSERT INTO webhook_event (account_id, name, created_at, body) VALUES ($1, $2, $3, $4) RETURNING id"
)
const addDelivery = statement(`INSERT INTO webhook_delivery
    (delivery_id, event_id, webhook_id, subject, state, kind, due_at, results, claims, attempts, ready_account_id, account_id)
  VALUES ($1, $2, $3, $4, 'pending', 'automatic', $5, 0, 0, 0, $6, $6)`)

const time = (millis: number): string => new Date(millis).toISOString()

const stored: Stored<string | boolean> = { time, flag: (flag) => flag }

const agentOf = async (connection: PoolClient, caller: Caller, id: number): Promise<Agent> => {
  const teams = caller.role === "standard" ? caller.teamIds : "[]"
  const [agent] = await agentById(connection, JSON.stringify(agentAccounts(caller)), teams, id)
  if (agent === undefined) throw noAgent()
  return agent
}

const requireFree = async (connection: PoolClient, caller: Caller, from: number, until: number): Promise<void> => {
  const found = await overlapping(connection, caller.accountId, time(from), time(until))
  if (found.length > 0) throw overlap()
}

/**
 * Makes the function that creates a calendar event: the row, its reminder, and a delivery for each subscribed webhook,
 * in one transaction.
 */
export const eventWriter =
  (pool: Pool, link: (uuid: string) => string) =>
  (caller: Caller, body: NewEvent, now: number): Promise<object> =>
    transaction(pool, async (connection) => {
      const times = timesOf(caller, body)
      const agent = body.ai_agent_id === undefined ? undefined : await agentOf(connection, caller, body.ai_agent_id)
      const teamId =
        body.team_id === undefined
          ? null
          : requireTeam(caller, body.team_id, (await teamById(connection, body.team_id)).length > 0)
      if (isExclusive(caller, body)) await requireFree(connection, caller, times.startTime, times.endTime)
      const row = newRow(stored, caller, body, times, agent, teamId, now)
      const [event] = await insert(connection, ...row.values)
      if (event === undefined) throw new Error("The row has no id.")
      if (row.reminderAt !== undefined) {
        const dueAt = time(row.reminderAt)
        await dropReminders(connection, event.id, dueAt)
        await addReminder(connection, event.id, dueAt, caller.accountId)
      }
      const hooks = await subscribers(connection, caller.accountId, "calendar.created")
      if (hooks.length > 0) {
        const payload = row.payload(event.id, link)
        const [webhookEvent] = await addWebhookEvent(
          connection,
          caller.accountId,
          "calendar.created",
          time(now),
          payload
        )
        if (webhookEvent === undefined) throw new Error("The row has no id.")
        for (const hook of hooks) {
          const subject = `event:${event.id}`
          await addDelivery(connection, randomUUIDv7(), webhookEvent.id, hook.id, subject, time(now), caller.accountId)
        }
      }
      return row.answer(event.id)
    })
