import { randomUUID, randomUUIDv7 } from "node:crypto"
import { type Caller, Refused } from "./Access.ts"
import type { Database } from "./Database.ts"
import { linkSigner } from "./EventRead.ts"

/** The body of a request that creates a calendar event. Its schema was checked, and fields that were null are absent. */
export interface NewEvent {
  readonly title: string
  readonly start_time: string
  readonly end_time: string
  readonly description?: string
  readonly event_type?: string
  readonly status?: string
  readonly location?: string
  readonly customer_name?: string
  readonly customer_email?: string
  readonly customer_phone?: string
  readonly customer_notes?: string
  readonly has_video_conference?: boolean
  readonly video_conference_url?: string
  readonly video_conference_provider?: string
  readonly is_reminder_enabled?: boolean
  readonly remind_before_minutes?: number
  readonly ai_agent_id?: number
  readonly team_id?: number
  readonly created_by_ai_agent?: boolean
  readonly send_notifications?: boolean
  readonly reject_conflicts?: boolean
}

const columns = [
  "uuid",
  "account_id",
  "created_at",
  "team_id",
  "ai_agent_id",
  "ai_agent",
  "event_type",
  "status",
  "start_time",
  "end_time",
  "busy_class",
  "title",
  "location",
  "has_video_conference",
  "video_conference_url",
  "video_conference_provider",
  "created_by_ai_agent",
  "is_reminder_enabled",
  "remind_before_minutes",
  "customer_name",
  "customer_email",
  "customer_email_key",
  "customer_phone",
  "external_calendars",
  "notify_on_cancel",
  "sequence",
  "updated_at",
  "customer_notes",
  "description",
  "invitation"
]

/** The invitation of a customer who was not mailed, because no measured server sends mail. */
const noInvitation = JSON.stringify({ email: "", isSent: false, status: "scheduled" })

const bit = (flag: boolean): number => (flag ? 1 : 0)

const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/

/** Returns the epoch milliseconds of a time with an offset, or of a local time in the time zone of the account. */
const instant = (text: string, zone: string): number => {
  const match = timeForm.exec(text)
  const millis =
    match === null
      ? Number.NaN
      : match[3] === undefined
        ? Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds
        : Date.parse(text)
  if (Number.isNaN(millis)) throw new Refused(400, "invalid_datetime_format", "Expected YYYY-MM-DDTHH:MM:SS")
  return millis
}

const blocking = new Set(["scheduled", "confirmed", "completed"])

const ahead = new Set(["scheduled", "confirmed"])

const busyClass = (millis: number): number => {
  let found = 0
  while (found < 21 && millis > 60_000 * 2 ** found) found++
  return found
}

interface Agent {
  readonly id: number
  readonly name: string
  readonly assistant_id: string
}

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
  const insert = database.reader<{ readonly id: number }>(
    `INSERT INTO calendar_event (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")}) RETURNING id`
  )
  const dropReminders = database.writer("DELETE FROM reminder WHERE event_id = ?1 AND due_at <> ?2 AND NOT is_sent")
  const addReminder = database.writer(`INSERT INTO reminder (event_id, due_at, is_sent) VALUES (?1, ?2, FALSE)
    ON CONFLICT (event_id, due_at) DO NOTHING`)
  const subscribers = database.lister<{ readonly id: number }>(`SELECT id FROM webhook WHERE account_id = ?1
    AND status <> 'disabled' AND EXISTS (SELECT 1 FROM json_each(subscribed_events) WHERE value = ?2) ORDER BY id`)
  const addWebhookEvent = database.reader<{ readonly id: number }>(
    "INSERT INTO webhook_event (account_id, name, created_at, body) VALUES (?1, ?2, ?3, ?4) RETURNING id"
  )
  const addDelivery = database.writer(`INSERT INTO webhook_delivery
      (delivery_id, event_id, webhook_id, subject, state, kind, due_at, results, claims, attempts)
    VALUES (?1, ?2, ?3, ?4, 'pending', 'automatic', ?5, 0, 0, 0)`)
  const link = linkSigner(database)

  const agentOf = (caller: Caller, id: number): Agent => {
    // Clients of a partner are not included, because the measured account is not a partner.
    const accounts =
      caller.role === "client" && caller.partnerId !== null ? [caller.accountId, caller.partnerId] : [caller.accountId]
    const agent = agentById(JSON.stringify(accounts), caller.role === "standard" ? caller.teamIds : "[]", id)
    if (agent === undefined) throw new Refused(404, "agent_not_found", "No agent has this id")
    return agent
  }

  const teamOf = (caller: Caller, id: number): number => {
    if (teamById(id) === undefined) throw new Refused(404, "team_not_found", "No team has this id")
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- A hand-written server trusts its own rows.
    const own: ReadonlyArray<number> = JSON.parse(caller.teamIds)
    if (!own.includes(id)) throw new Refused(403, "team_access_denied", "The team is not yours")
    return id
  }

  return (caller, body, now) =>
    database.transaction(() => {
      const startTime = instant(body.start_time, caller.settings.timeZone)
      const endTime = instant(body.end_time, caller.settings.timeZone)
      if (endTime <= startTime) throw new Refused(400, "invalid_time_range", "end_time must be after start_time")
      const agent = body.ai_agent_id === undefined ? undefined : agentOf(caller, body.ai_agent_id)
      const teamId = body.team_id === undefined ? null : teamOf(caller, body.team_id)
      const status = body.status ?? "scheduled"
      const blocks = blocking.has(status)
      if (blocks && (body.reject_conflicts === true || caller.settings.rejectConflicts)) {
        if (overlapping(caller.accountId, startTime, endTime) !== undefined) {
          throw new Refused(409, "slot_unavailable", "Something else is in the calendar at that time")
        }
      }

      const event = {
        uuid: randomUUID(),
        type: body.event_type ?? "meeting",
        location: body.location ?? null,
        hasConference: body.has_video_conference ?? false,
        conferenceUrl: body.video_conference_url ?? "",
        isByAgent: body.created_by_ai_agent ?? false,
        remindBefore: body.remind_before_minutes ?? 30,
        name: body.customer_name ?? "",
        email: body.customer_email ?? "",
        phone: body.customer_phone ?? ""
      }
      const id = insert(
        event.uuid,
        caller.accountId,
        now,
        teamId,
        agent?.id ?? null,
        agent === undefined
          ? null
          : JSON.stringify({ id: agent.id, name: agent.name, assistantId: agent.assistant_id }),
        event.type,
        status,
        startTime,
        endTime,
        blocks ? busyClass(endTime - startTime) : null,
        body.title,
        event.location,
        bit(event.hasConference),
        event.conferenceUrl,
        body.video_conference_provider ?? "",
        bit(event.isByAgent),
        bit(body.is_reminder_enabled ?? false),
        event.remindBefore,
        event.name,
        event.email,
        event.email === "" ? null : event.email.toLowerCase(),
        event.phone,
        "{}",
        bit(body.send_notifications ?? true),
        0,
        now,
        body.customer_notes ?? "",
        body.description ?? "",
        noInvitation
      )?.id
      if (id === undefined) throw new Error("The row has no id.")

      if (body.is_reminder_enabled === true && ahead.has(status) && endTime > now) {
        const dueAt = startTime - event.remindBefore * 60_000
        dropReminders(id, dueAt)
        addReminder(id, dueAt)
      }

      const times = { start_time: new Date(startTime).toISOString(), end_time: new Date(endTime).toISOString() }
      const hooks = subscribers(caller.accountId, "calendar.created")
      if (hooks.length > 0) {
        const payload = {
          event_type: "calendar.created",
          calendar_event: {
            id,
            uuid: event.uuid,
            title: body.title,
            event_type: event.type,
            status,
            ...times,
            duration_minutes: Math.floor((endTime - startTime) / 60_000),
            location: event.location,
            has_video_conference: event.hasConference,
            video_conference_url: event.conferenceUrl,
            created_by_ai_agent: event.isByAgent,
            ai_agent: agent && { id: agent.id, name: agent.name, assistant_id: agent.assistant_id },
            customer: { name: event.name, email: event.email, phone: event.phone },
            ics_url: link(event.uuid)
          },
          timestamp: new Date(now).toISOString()
        }
        const webhookEvent = addWebhookEvent(
          caller.accountId,
          "calendar.created",
          now,
          Buffer.from(JSON.stringify(payload))
        )
        if (webhookEvent === undefined) throw new Error("The row has no id.")
        for (const hook of hooks) addDelivery(randomUUIDv7(), webhookEvent.id, hook.id, `event:${id}`, now)
      }
      return { id, uuid: event.uuid, title: body.title, ...times, status, message: "Event created" }
    })
}
