import type { Agents } from "./agent.ts"
import type {
  Accounts,
  ApiKeys,
  CalendarConnections,
  DeadLetteredTasks,
  FundMovements,
  OutboxOperations,
  OwnAccount
} from "./account.ts"
import type { Members, Sessions, SignInLinks } from "./people.ts"
import type { AuditLog } from "./audit.ts"
import type { ExternalCalendars } from "./externalCalendar.ts"
import type { Availability, Calendar } from "./calendar.ts"
import type { Calls } from "./call.ts"
import type { Statistics } from "./statistics.ts"
import type { Contacts, DoNotCallLists } from "./contact.ts"
import type { ContactErasures, ContactExports, ContactImports } from "./contactFile.ts"
import type { ContactRecords } from "./contactRecord.ts"
import type { BusinessContext, ContextVariables } from "./variable.ts"
import type { WebhookOperations, Webhooks } from "./webhook.ts"

/** The services for one account, which `frontdesk.as` returns. Every method acts for that account. */
export interface AccountServices {
  readonly agents: Agents
  readonly apiKeys: ApiKeys
  readonly availability: Availability
  readonly businessContext: BusinessContext
  readonly calendar: Calendar
  readonly calls: Calls
  readonly contacts: Contacts
  readonly contactImports: ContactImports
  readonly contactExports: ContactExports
  readonly contactErasures: ContactErasures
  readonly contactRecords: ContactRecords
  readonly doNotCall: DoNotCallLists
  readonly variables: ContextVariables
  readonly webhooks: Webhooks
  readonly account: OwnAccount
  readonly funds: FundMovements
  readonly statistics: Statistics
  readonly audit: AuditLog
  readonly tasks: DeadLetteredTasks
  readonly externalCalendars: ExternalCalendars
  readonly members: Members
  readonly sessions: Sessions
  readonly signInLinks: SignInLinks
}

/** The services for the operator of the installation, which act for no account and check no permission. */
export interface OperatorServices {
  readonly accounts: Accounts
  readonly calendarConnections: CalendarConnections
  readonly outbox: OutboxOperations
  readonly webhookOperations: WebhookOperations
}
