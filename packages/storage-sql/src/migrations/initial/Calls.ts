import type { ColumnTypes } from "../../dialect/Dialect.ts"

/** Agents and their calls. */
export const calls = (type: ColumnTypes): ReadonlyArray<string> => [
  `CREATE TABLE agent (
    id ${type.id},
    account_id ${type.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    team_id ${type.integer} REFERENCES team (id),
    assistant_id ${type.text} NOT NULL,
    name ${type.text} NOT NULL,
    role ${type.text} NOT NULL,
    phone_number ${type.text},
    model ${type.text} NOT NULL,
    voice_id ${type.text} NOT NULL,
    seconds_used ${type.integer} NOT NULL DEFAULT 0,
    total_calls ${type.integer} NOT NULL DEFAULT 0,
    created_at ${type.time} NOT NULL
  )${type.table}`,
  `CREATE UNIQUE INDEX agent_assistant ON agent (assistant_id)`,
  `CREATE INDEX agent_account ON agent (account_id, id)`,
  `CREATE INDEX agent_team ON agent (team_id, id) WHERE team_id IS NOT NULL`,

  `CREATE TABLE call (
    id ${type.id},
    account_id ${type.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    team_id ${type.integer} REFERENCES team (id),
    agent_id ${type.integer} NOT NULL REFERENCES agent (id),
    contact_id ${type.integer} REFERENCES contact (id) ON DELETE SET NULL,
    call_id ${type.text} NOT NULL,
    provider_call_id ${type.text},
    status ${type.text} NOT NULL,
    type ${type.text} NOT NULL,
    phone_number ${type.text} NOT NULL,
    submission ${type.text} NOT NULL,
    billing_status ${type.text} NOT NULL,
    initial_charge ${type.integer} NOT NULL,
    final_charge ${type.integer} NOT NULL,
    price_per_minute ${type.integer} NOT NULL,
    ended_reason ${type.text},
    reconcile_at ${type.time},
    reconcile_count ${type.integer} NOT NULL,
    started_at ${type.time},
    ended_at ${type.time},
    created_at ${type.time} NOT NULL,
    updated_at ${type.time} NOT NULL,
    recording_url ${type.text},
    summary ${type.text},
    variables ${type.json} NOT NULL,
    metadata ${type.json},
    transcript ${type.text}
  )${type.table}`,
  `CREATE UNIQUE INDEX call_call_id ON call (call_id)`,
  `CREATE INDEX call_provider_call_id ON call (provider_call_id) WHERE provider_call_id IS NOT NULL`,
  // The indexes include status and type, so that lists and counts filter by them without reading the rows.
  `CREATE INDEX call_account ON call (account_id, created_at, id, status, type)`,
  `CREATE INDEX call_team ON call (team_id, created_at, id, account_id, status, type) WHERE team_id IS NOT NULL`,
  `CREATE INDEX call_status ON call (account_id, status, created_at, id, type)`,
  `CREATE INDEX call_agent ON call (account_id, agent_id, created_at, id, status, type)`,
  `CREATE INDEX call_phone_number ON call (account_id, phone_number, created_at, id, status, type)`,
  `CREATE INDEX call_contact ON call (contact_id, account_id, created_at, id) WHERE contact_id IS NOT NULL`,
  `CREATE INDEX call_running ON call (account_id) WHERE status IN ('queued', 'ringing', 'in_progress')`,
  `CREATE INDEX call_reconcile ON call (reconcile_at, id) WHERE reconcile_at IS NOT NULL`
]
