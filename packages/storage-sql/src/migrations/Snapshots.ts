import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"

const contactColumns = ["contact_name", "contact_email", "contact_company", "contact_status", "contact_stage"]

/**
 * A trigger that deletes what calls store of a contact when the contact is deleted. The foreign key then sets
 * `contact_id` to null. That also happens when the account of the contact is deleted, and when a server of the previous
 * version deletes the contact.
 */
const postgresContactDeletion = [
  `CREATE FUNCTION call_contact_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      ${contactColumns.map((column) => `NEW.${column} := NULL;`).join(" ")}
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER call_contact_deleted BEFORE UPDATE OF contact_id ON call
    FOR EACH ROW WHEN (NEW.contact_id IS NULL) EXECUTE FUNCTION call_contact_deleted()`
]

const sqliteContactDeletion = [
  `CREATE TRIGGER call_contact_deleted AFTER UPDATE OF contact_id ON call WHEN NEW.contact_id IS NULL
    BEGIN UPDATE call SET ${contactColumns.map((column) => `${column} = NULL`).join(", ")} WHERE id = NEW.id; END`
]

const isMember = (account: string, team: string): string =>
  `EXISTS (SELECT 1 FROM account_team WHERE account_team.account_id = ${account} AND account_team.team_id = ${team})`

const fullName = `CASE
  WHEN coalesce(contact.first_name, '') = '' THEN coalesce(contact.last_name, '')
  WHEN coalesce(contact.last_name, '') = '' THEN contact.first_name
  ELSE contact.first_name || ' ' || contact.last_name END`

const contactSnapshot = Object.entries({
  contact_name: fullName,
  contact_email: "contact.email",
  contact_company: "contact.company",
  contact_status: "contact.status",
  contact_stage: "contact.stage"
})

/**
 * Removes the team from calls whose account is not in it, and fills the snapshots with what the account sees now.
 *
 * It only writes calls that other accounts can read, or whose agent or contact belongs to another account. All other
 * calls, which are most of a large table, show their account its own agent and contact. It can always see those.
 */
const fillCalls = `UPDATE call
  SET team_id = CASE WHEN ${isMember("before.account_id", "before.team_id")} THEN before.team_id END,
    agent_name = agent.name,
    agent_assistant_id = agent.assistant_id,
    ${contactSnapshot
      .map(
        ([column, value]) => `${column} = CASE
      WHEN contact.account_id = before.account_id OR ${isMember("before.account_id", "contact.team_id")} THEN ${value} END`
      )
      .join(", ")}
  FROM call AS before
  JOIN agent ON agent.id = before.agent_id
  LEFT JOIN contact ON contact.id = before.contact_id
  WHERE before.id = call.id AND (before.team_id IS NOT NULL OR agent.account_id <> before.account_id
    OR contact.account_id <> before.account_id)`

/**
 * Returns the statement that stores the agent in calendar events that other accounts can read, or whose agent belongs
 * to another account.
 */
const fillEvents = (object: string): string => `UPDATE calendar_event
  SET ai_agent = ${object}
  FROM agent
  WHERE agent.id = calendar_event.ai_agent_id
    AND (calendar_event.team_id IS NOT NULL OR agent.account_id <> calendar_event.account_id)`

const agentFields = "'id', agent.id, 'name', agent.name, 'assistantId', agent.assistant_id"

/**
 * Adds snapshots of agents to calls and calendar events, and snapshots of contacts to calls. Calls and calendar events
 * show the snapshot of the agent. A call shows the snapshot of the contact when the reader cannot see the contact.
 */
export const snapshots = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { types } = ClientDialect.of(sql)
  const columns = ["agent_name", "agent_assistant_id", ...contactColumns]
  const statements = [
    ...columns.map((column) => `ALTER TABLE call ADD COLUMN ${column} ${types.text}`),
    `ALTER TABLE calendar_event ADD COLUMN ai_agent ${types.json}`,
    fillCalls,
    ...sql.onDialectOrElse({
      pg: () => [fillEvents(`json_build_object(${agentFields})`), ...postgresContactDeletion],
      orElse: () => [fillEvents(`json_object(${agentFields})`), ...sqliteContactDeletion]
    })
  ]
  for (const statement of statements) yield* sql.unsafe(statement)
})
