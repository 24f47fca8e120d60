import { accounts } from "./AccountsCommand.ts"
import { audit } from "./AuditCommand.ts"
import { calendars } from "./CalendarsCommand.ts"
import { check } from "./CheckCommand.ts"
import { contacts } from "./ContactsCommand.ts"
import { copy } from "./CopyCommand.ts"
import { doNotCall } from "./DoNotCallCommand.ts"
import { keys } from "./KeysCommand.ts"
import { dashboard } from "./DashboardCommand.ts"
import { members } from "./MembersCommand.ts"
import { migrate } from "./MigrateCommand.ts"
import { outbox } from "./OutboxCommand.ts"
import { provision } from "./ProvisionCommand.ts"
import { secrets } from "./SecretsCommand.ts"
import { tools } from "./ToolsCommand.ts"
import { webhooks } from "./WebhooksCommand.ts"

/** Every command except `serve`, in the order of the help. */
export const operatorCommands = [
  check,
  migrate,
  copy,
  provision,
  keys,
  members,
  dashboard,
  accounts,
  audit,
  calendars,
  contacts,
  doNotCall,
  outbox,
  secrets,
  tools,
  webhooks
] as const
