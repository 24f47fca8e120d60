import { accountKeys } from "./AccountKeys.ts"
import { accountColumns, filledAccounts, requiredAccounts } from "./AccountColumns.ts"
import { agentPhoneNumbers } from "./AgentPhoneNumbers.ts"
import { archivedAgents } from "./ArchivedAgents.ts"
import { attentionIndexes } from "./AttentionIndexes.ts"
import { auditEntries } from "./AuditEntries.ts"
import { bookings } from "./Bookings.ts"
import {
  allowedTools,
  auditAddresses,
  callRetention,
  eventInvitation,
  externalCalendarsStatus,
  idempotencyExecuted,
  reminderStart
} from "./ColumnsAndIndexes.ts"
import { callReservations } from "./CallReservations.ts"
import { contactImports, contactLookUps } from "./ContactImports.ts"
import { doNotCall } from "./DoNotCall.ts"
import { customerEvents, eventContacts } from "./CustomerEvents.ts"
import { eventLists } from "./EventLists.ts"
import { fundMovements } from "./FundMovements.ts"
import * as InstallationCell from "./InstallationCell.ts"
import { initial } from "./Initial.ts"
import { deliveryIndexes, listIndexes } from "./ListIndexes.ts"
import type * as MigrationRunner from "./MigrationRunner.ts"
import { namedLocks } from "./NamedLocks.ts"
import { operators, people } from "./People.ts"
import { rateLimitLeases } from "./RateLimitLeases.ts"
import { rowCountParts } from "./RowCountParts.ts"
import { readyDeliveries } from "./ReadyDeliveries.ts"
import { readyTasks } from "./ReadyTasks.ts"
import { searchForm } from "./SearchForm.ts"
import { serverNodes } from "./ServerNodes.ts"
import { statistics } from "./Statistics.ts"
import { snapshots } from "./Snapshots.ts"

/** Every migration of this version. */
export const migrations: MigrationRunner.Migrations = {
  "0001_initial": initial,
  "0003_snapshots": snapshots,
  "0004_do_not_call": doNotCall,
  "0005_search_form": searchForm,
  "0006_idempotency_executed": idempotencyExecuted,
  "0007_call_reservations": callReservations,
  "0008_reminder_start": reminderStart,
  "0009_external_calendars_status": externalCalendarsStatus,
  "0012_call_retention": callRetention,
  "0013_event_invitation": eventInvitation,
  "0014_list_indexes": listIndexes,
  "0015_rate_limit_leases": rateLimitLeases,
  "0016_row_count_parts": rowCountParts,
  "0017_ready_deliveries": readyDeliveries,
  "0018_installation_cell": InstallationCell.installationCell,
  "0019_named_locks": namedLocks,
  "0020_delivery_indexes": deliveryIndexes,
  "0021_account_columns": accountColumns,
  "0022_filled_accounts": filledAccounts,
  "0023_required_accounts": requiredAccounts,
  "0024_account_keys": accountKeys,
  "0025_ready_tasks": readyTasks,
  "0026_bookings": bookings,
  "0028_agent_phone_numbers": agentPhoneNumbers,
  "0029_event_contacts": eventContacts,
  "0030_customer_events": customerEvents,
  "0031_archived_agents": archivedAgents,
  "0032_fund_movements": fundMovements,
  "0033_people": people,
  "0034_statistics": statistics,
  "0035_contact_imports": contactImports,
  "0036_audit_entries": auditEntries,
  "0037_contact_look_ups": contactLookUps,
  "0038_attention_indexes": attentionIndexes,
  "0039_event_lists": eventLists,
  "0040_operators": operators,
  "0041_server_nodes": serverNodes,
  "0042_allowed_tools": allowedTools,
  "0043_audit_addresses": auditAddresses
}
