import * as Layer from "effect/Layer"
import { Accounts } from "./account/Accounts.ts"
import { OwnAccount } from "./account/OwnAccount.ts"
import { AuditLog } from "./account/AuditLog.ts"
import { FundMovements } from "./account/FundMovements.ts"
import { ApiKeys } from "./access/ApiKeys.ts"
import { OwnApiKeys } from "./access/OwnApiKeys.ts"
import { Agents } from "./agent/Agents.ts"
import { Availability } from "./availability/Availability.ts"
import { Appointments } from "./booking/Appointments.ts"
import { Bookings } from "./booking/Bookings.ts"
import { SlotIds } from "./booking/SlotIds.ts"
import { CalendarConnections } from "./external-calendar/CalendarConnections.ts"
import { ExternalCalendars } from "./external-calendar/ExternalCalendars.ts"
import { CalendarEvents } from "./calendar/CalendarEvents.ts"
import { CalendarLinks } from "./calendar-event/CalendarLinks.ts"
import { CalendarEventEffectWriter } from "./calendar/CalendarEventEffectWriter.ts"
import { ReminderSignal } from "./reminder/ReminderSignal.ts"
import { Calls } from "./call/Calls.ts"
import { CallSessions } from "./call/CallSessions.ts"
import { InboundCalls } from "./call/InboundCalls.ts"
import { ToolCalls } from "./call/ToolCalls.ts"
import { Contacts } from "./contact/Contacts.ts"
import { ContactExports } from "./contact-file/ContactExports.ts"
import { ContactImports } from "./contact-file/ContactImports.ts"
import { DoNotCallLists } from "./contact/DoNotCallLists.ts"
import { ContactErasures } from "./erasure/ContactErasures.ts"
import { ContactRecords } from "./erasure/ContactRecords.ts"
import { DeadLetteredTasks } from "./outbox/DeadLetteredTasks.ts"
import { Idempotency } from "./idempotency/Idempotency.ts"
import { Outbox } from "./outbox/Outbox.ts"
import { OutboxOperations } from "./outbox/OutboxOperations.ts"
import { Statistics } from "./statistics/Statistics.ts"
import { Operator } from "./operator/Operator.ts"
import { Provisioning } from "./provisioning/Provisioning.ts"
import { BusinessContext } from "./business-context/BusinessContext.ts"
import { ContextVariables } from "./variable/ContextVariables.ts"
import { DeliverySignal } from "./delivery/DeliverySignal.ts"
import * as DeliveryPublisher from "./webhook/DeliveryPublisher.ts"
import { Members } from "./people/Members.ts"
import { Sessions } from "./people/Sessions.ts"
import { SignInLinks } from "./people/SignInLinks.ts"
import { SignInMails } from "./people/SignInMails.ts"
import { WebhookOperations } from "./webhook/WebhookOperations.ts"
import { Webhooks } from "./webhook/Webhooks.ts"

const signals = Layer.mergeAll(
  DeliverySignal.layer,
  ReminderSignal.layer,
  CalendarLinks.layer,
  SlotIds.layer,
  Outbox.layer
)

const publishing = DeliveryPublisher.layer.pipe(Layer.provideMerge(signals))

const records = Layer.mergeAll(
  Accounts.layer,
  ApiKeys.layer,
  Agents.layer,
  Contacts.layer,
  DoNotCallLists.layer,
  ContactImports.layer,
  ContactExports.layer,
  ContextVariables.layer,
  BusinessContext.layer,
  Idempotency.layer,
  Availability.layer,
  CalendarConnections.layer,
  Webhooks.layer,
  OwnAccount.layer,
  FundMovements.layer,
  AuditLog.layer
)

/**
 * All services of the domain as one layer, with every port left open.
 *
 * Provide it with stores (`MemoryStorage.layer`, `SqliteStorage.layer`), `Crypto`, a `CallProvider`, a `WebhookSender`,
 * a `Mailer`, a `CalendarSync` and a `CalendarConnector`; the `layerNone` of each of the last three does without it. What
 * happens without a request (deliveries, reminders, retention) needs `Workers.layer` above it.
 */
export const layer = Layer.mergeAll(
  Provisioning.layer,
  OutboxOperations.layer,
  DeadLetteredTasks.layer,
  ExternalCalendars.layer,
  WebhookOperations.layer,
  Layer.mergeAll(CalendarEvents.layer, Bookings.layer).pipe(Layer.provide(CalendarEventEffectWriter.layer)),
  Calls.layer,
  CallSessions.layer,
  InboundCalls.layer,
  ToolCalls.layer,
  Appointments.layer,
  ContactErasures.layer,
  ContactRecords.layer,
  OwnApiKeys.layer,
  Statistics.layer,
  Members.layer,
  SignInLinks.layer,
  SignInMails.layer,
  Sessions.layer,
  Operator.layer.pipe(Layer.provide(OutboxOperations.layer))
).pipe(Layer.provideMerge(records), Layer.provideMerge(publishing))
