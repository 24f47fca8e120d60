import type { ColumnTypes } from "../../dialect/Dialect.ts"

/** Calendar events, their reminders, connections with external calendars, and the outbox. */
export const calendar = (type: ColumnTypes): ReadonlyArray<string> => [
  // busy_class: the length class of a calendar event that blocks its time (calendar-event/EventLengthClass.ts); NULL
  // when it does not block.
  `CREATE TABLE calendar_event (
    id ${type.id},
    uuid ${type.text} NOT NULL,
    account_id ${type.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    team_id ${type.integer} REFERENCES team (id),
    ai_agent_id ${type.integer} REFERENCES agent (id),
    event_type ${type.text} NOT NULL,
    status ${type.text} NOT NULL,
    start_time ${type.time} NOT NULL,
    end_time ${type.time} NOT NULL,
    busy_class ${type.integer},
    title ${type.text} NOT NULL,
    location ${type.text},
    has_video_conference ${type.flag} NOT NULL,
    video_conference_url ${type.text} NOT NULL,
    video_conference_provider ${type.text} NOT NULL,
    created_by_ai_agent ${type.flag} NOT NULL,
    is_reminder_enabled ${type.flag} NOT NULL,
    remind_before_minutes ${type.integer} NOT NULL,
    customer_name ${type.text} NOT NULL,
    customer_email ${type.text} NOT NULL,
    customer_email_key ${type.text},
    customer_phone ${type.text} NOT NULL,
    external_calendars ${type.json} NOT NULL,
    notify_on_cancel ${type.flag} NOT NULL,
    sequence ${type.integer} NOT NULL,
    created_at ${type.time} NOT NULL,
    updated_at ${type.time} NOT NULL,
    customer_notes ${type.text} NOT NULL,
    description ${type.text} NOT NULL
  )${type.table}`,
  `CREATE UNIQUE INDEX calendar_event_uuid ON calendar_event (uuid)`,
  `CREATE INDEX calendar_event_account ON calendar_event (account_id, start_time, id, status, event_type)`,
  `CREATE INDEX calendar_event_team
    ON calendar_event (team_id, start_time, id, account_id, status, event_type) WHERE team_id IS NOT NULL`,
  `CREATE INDEX calendar_event_status ON calendar_event (account_id, status, start_time, id, event_type)`,
  `CREATE INDEX calendar_event_agent
    ON calendar_event (account_id, ai_agent_id, start_time, id, status, event_type) WHERE ai_agent_id IS NOT NULL`,
  `CREATE INDEX calendar_event_customer
    ON calendar_event (account_id, customer_email_key, start_time, id) WHERE customer_email_key IS NOT NULL`,
  `CREATE INDEX calendar_event_busy
    ON calendar_event (account_id, busy_class, start_time, end_time, id) WHERE busy_class IS NOT NULL`,

  `CREATE TABLE reminder (
    event_id ${type.integer} NOT NULL REFERENCES calendar_event (id) ON DELETE CASCADE,
    due_at ${type.time} NOT NULL,
    is_sent ${type.flag} NOT NULL,
    PRIMARY KEY (event_id, due_at)
  )${type.table}`,
  `CREATE INDEX reminder_due ON reminder (due_at, event_id) WHERE NOT is_sent`,

  `CREATE TABLE calendar_connection (
    account_id ${type.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    provider ${type.text} NOT NULL,
    calendar ${type.text} NOT NULL,
    created_at ${type.time} NOT NULL,
    updated_at ${type.time} NOT NULL,
    credentials ${type.text} NOT NULL,
    PRIMARY KEY (account_id, provider)
  )${type.table}`,

  // due_at: with an error, the time at which the task was dead-lettered. tag, event_id: copied from the work, for a
  // task whose work cannot be read.
  `CREATE TABLE outbox_task (
    id ${type.id},
    attempts ${type.integer} NOT NULL DEFAULT 0,
    due_at ${type.time} NOT NULL,
    lease_owner ${type.text},
    error ${type.text},
    tag ${type.text} NOT NULL,
    event_id ${type.integer} NOT NULL,
    work ${type.json} NOT NULL
  )${type.table}`,
  `CREATE INDEX outbox_task_due ON outbox_task (due_at, id) WHERE error IS NULL`,
  `CREATE INDEX outbox_task_abandoned ON outbox_task (id) WHERE error IS NOT NULL`,
  `CREATE INDEX outbox_task_old ON outbox_task (due_at, id) WHERE error IS NOT NULL`
]
