import type { Caldav, CalendarSetup } from "@frontdesk/calendar-sync"
import type { CreateOwnApiKey, RotateApiKey } from "@frontdesk/core/access/ApiKeyInput"
import type { PatchOwnAccount } from "@frontdesk/core/account/OwnAccountInput"
import type { StatisticQuery } from "@frontdesk/core/statistics/StatisticInput"
import type { AuditQuery } from "@frontdesk/core/account/AuditLogInput"
import type { ActorType } from "@frontdesk/core/audit/Actor"
import type { MovementQuery } from "@frontdesk/core/account/FundMovementInput"
import type { AvailabilityAnswer, AvailabilityQuery } from "@frontdesk/core/availability/Availability"
import type { ExternalBusyAnswer, ExternalBusyQuery } from "@frontdesk/core/availability/ExternalBusyTimes"
import type { SetBusinessContext } from "@frontdesk/core/business-context/BusinessContextInput"
import type {
  CalendarEventQuery,
  CancelCalendarEvent,
  CreateCalendarEvent,
  PatchCalendarEvent,
  PutCalendarEvent,
  ResolveCopy
} from "@frontdesk/core/calendar-event/CalendarEventInput"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { CancelledCalendarEvent } from "@frontdesk/core/calendar-event/Cancellation"
import type { CalendarEventKey } from "@frontdesk/core/calendar-event/CalendarEventKey"
import type { AgentQuery, CreateAgent, PatchAgent, PutAgent } from "@frontdesk/core/agent/AgentInput"
import type { AgentKey } from "@frontdesk/core/agent/AgentStore"
import type { CallQuery, CreateCall } from "@frontdesk/core/call/CallInput"
import type { ContactImportPart, CreateContactImport } from "@frontdesk/core/contact-file/ContactImportInput"
import type { ContactQuery, CreateContact, PatchContact, PutContact } from "@frontdesk/core/contact/ContactInput"
import type { RetryTasks } from "@frontdesk/core/outbox/DeadLetteredTasks"
import type {
  BeginAuthorization,
  CaldavAccess,
  ConnectCaldav
} from "@frontdesk/core/external-calendar/ExternalCalendarInput"
import type { CreateMember, CreateSignInLink, EndSessions, PatchMember } from "@frontdesk/core/people/MemberInput"
import type { ContactRecord } from "@frontdesk/core/erasure/ContactRecord"
import type { OutboxFilter } from "@frontdesk/core/outbox/OutboxOperations"
import type { Provisioned } from "@frontdesk/core/provisioning/Provisioning"
import type { CreateVariable, PatchVariable, PutVariable } from "@frontdesk/core/variable/VariableInput"
import type {
  CreateWebhook,
  DeliveryQuery,
  PatchWebhook,
  PutWebhook,
  RotateSecret
} from "@frontdesk/core/webhook/WebhookInput"
import type { Permission } from "@frontdesk/core/access/Permission"
import type { Page } from "@frontdesk/core/values/Page"
import type { WorkerName } from "@frontdesk/core/worker/Workers"
import type * as Facade from "@frontdesk/embed"
import type * as Brand from "effect/Brand"
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { expect, it } from "vitest"
import type { Shapes } from "../src/facade/Services.ts"

/** A type of the core as the facade shows it: without brands, times as text, secrets as text. */
type Plain<T> = T extends DateTime.Utc
  ? string
  : T extends Duration.Duration
    ? string | number
    : T extends Redacted.Redacted<infer A>
      ? A
      : T extends Option.Option<infer A>
        ? Plain<A> | null
        : T extends Brand.Brand<string>
          ? T extends string
            ? string
            : number
          : T extends string | number | boolean | null | undefined
            ? T
            : T extends ReadonlyArray<unknown>
              ? { readonly [K in keyof T]: Plain<T[K]> }
              : {
                  readonly [K in keyof T]: string extends K
                    ? Plain<T[K]>
                    : object extends Pick<T, K>
                      ? Plain<T[K]> | undefined
                      : Plain<T[K]>
                }

type Same<A, B> = [A] extends [B]
  ? [B] extends [A]
    ? true
    : { readonly lacks: B; readonly has: A }
  : { readonly lacks: A; readonly has: B }

type ResultOf<Member> =
  Member extends Effect.Effect<infer A, unknown, infer _R>
    ? A
    : Member extends (...args: never) => Effect.Effect<infer A, unknown, infer _R>
      ? A
      : never

/** The methods that have no counterpart in the facade: see `Services.hidden`. */
type Hidden =
  | "getActive"
  | "principal"
  | "icsBySignature"
  | "agentVariables"
  | "applyReport"
  | "endAuthorization"
  | "authenticate"
  | "end"
  | "endEverywhere"
  | "use"
  | "createForOperator"

/** The result that a method of the facade must have. */
type Expected<A> = A extends AvailabilityAnswer
  ? Facade.AvailabilityAnswer
  : A extends ExternalBusyAnswer
    ? Facade.ExternalBusyAnswer
    : Plain<Shown<A>>

/** A value of the core without what the facade does not show: the contact of a calendar event. */
type Shown<A> = A extends CalendarEvent
  ? Omit<A, "contactId">
  : A extends CancelledCalendarEvent
    ? Omit<A, "event"> & { readonly event: Shown<CalendarEvent> }
    : A extends ContactRecord
      ? Omit<A, "calendarEvents"> & { readonly calendarEvents: ReadonlyArray<Shown<CalendarEvent>> }
      : A

/** Compares a method of the facade with the result of the core's method. */
type Compared<Method, A> = Method extends (...args: never) => Facade.List<infer Row>
  ? A extends Page<infer Item>
    ? Same<Row, Plain<Shown<Item>>>
    : A extends ReadonlyArray<infer Item>
      ? Same<Row, Plain<Shown<Item>>>
      : "not a list"
  : Method extends (...args: never) => Promise<infer B>
    ? Same<B, Expected<A>>
    : "not a method"

type Services = Facade.AccountServices & Facade.OperatorServices

type Differences = {
  readonly [S in keyof Shapes]: {
    readonly [M in Exclude<keyof Shapes[S], Hidden>]: M extends keyof Services[S]
      ? Compared<Services[S][M], ResultOf<Shapes[S][M]>>
      : "missing"
  }
}

type AllTrue = {
  readonly [S in keyof Shapes]: { readonly [M in Exclude<keyof Shapes[S], Hidden>]: true }
}

/** Whether the facade accepts every input of the core, and has no field that the core does not know. */
type Accepts<F, C, Added extends string = never> = [Plain<C>] extends [F]
  ? [Exclude<keyof F, keyof C | Added>] extends [never]
    ? true
    : { readonly unknown: Exclude<keyof F, keyof C | Added> }
  : { readonly refuses: Plain<C> }

/** The fields that a patch of an account refuses, because only the operator changes them. */
type OperatorField = {
  [K in keyof PatchOwnAccount]-?: [Required<PatchOwnAccount>[K]] extends [never] ? K : never
}[keyof PatchOwnAccount]

type Inputs = [
  Accepts<Facade.CreateContact, CreateContact>,
  Accepts<Facade.PutContact, PutContact>,
  Accepts<Facade.PatchContact, PatchContact>,
  Accepts<Facade.ContactQuery, ContactQuery>,
  Accepts<Facade.CreateContactImport, CreateContactImport>,
  Accepts<Facade.ContactImportPart, ContactImportPart>,
  Accepts<Facade.CreateCall, Omit<CreateCall, "dryRun">>,
  Accepts<Facade.CallQuery, CallQuery>,
  Accepts<Facade.MovementQuery, MovementQuery>,
  Accepts<Facade.StatisticQuery, StatisticQuery>,
  Accepts<Facade.AuditQuery, AuditQuery>,
  Accepts<Facade.CreateVariable, CreateVariable>,
  Accepts<Facade.PutVariable, PutVariable>,
  Accepts<Facade.PatchVariable, PatchVariable>,
  Accepts<Facade.SetBusinessContext, SetBusinessContext>,
  Accepts<Facade.CreateCalendarEvent, CreateCalendarEvent>,
  Accepts<Facade.PutCalendarEvent, PutCalendarEvent>,
  Accepts<Facade.PatchCalendarEvent, PatchCalendarEvent>,
  Accepts<Facade.CancelCalendarEvent, CancelCalendarEvent>,
  Accepts<Facade.ResolveCopy, ResolveCopy>,
  Accepts<Facade.CalendarEventQuery, CalendarEventQuery>,
  Accepts<Facade.AvailabilityQuery, AvailabilityQuery>,
  Accepts<Facade.ExternalBusyQuery, ExternalBusyQuery>,
  Accepts<Facade.RotateSecret, RotateSecret>,
  Accepts<Facade.DeliveryQuery, Pick<DeliveryQuery, "status">>,
  Accepts<Facade.CreateApiKey, CreateOwnApiKey>,
  Accepts<Facade.RotateApiKey, RotateApiKey>,
  Accepts<Facade.OutboxFilter, OutboxFilter>,
  Accepts<Facade.PatchOwnAccount, Omit<PatchOwnAccount, OperatorField>>,
  Accepts<Facade.CreateAgent, CreateAgent>,
  Accepts<Facade.PutAgent, PutAgent>,
  Accepts<Facade.PatchAgent, PatchAgent>,
  Accepts<Facade.AgentQuery, AgentQuery>,
  Accepts<Facade.RetryTasks, RetryTasks>,
  Accepts<Facade.CreateMember, CreateMember>,
  Accepts<Facade.PatchMember, PatchMember>,
  Accepts<Facade.CreateSignInLink, CreateSignInLink>,
  Accepts<Facade.EndSessions, EndSessions>,
  Accepts<Facade.BeginAuthorization, BeginAuthorization>,
  Accepts<Facade.CaldavAccount, CaldavAccess>,
  Accepts<Facade.ConnectCaldav, ConnectCaldav>
]

// Name, URL and webhook events are optional in the core only because it names all missing ones in one error.
type WebhookFields = [
  Same<keyof Facade.CreateWebhook, keyof CreateWebhook>,
  Same<keyof Facade.PutWebhook, keyof PutWebhook>,
  Same<keyof Facade.PatchWebhook, keyof PatchWebhook>
]

type Names = [
  Same<Facade.Permission, Permission>,
  Same<Facade.WorkerName, WorkerName>,
  Same<Facade.ActorType, ActorType>,
  Same<Facade.Provisioned, Plain<Provisioned>>,
  Same<Facade.ConnectedCalendar, Plain<CalendarSetup.Connected>>,
  Same<Facade.CaldavCalendar, Plain<Caldav.DiscoveredCalendar>>,
  [Plain<CalendarEventKey>] extends [Facade.CalendarEventKey] ? true : false,
  [Plain<AgentKey>] extends [Facade.AgentKey] ? true : false
]

it("the types of the facade are those of the services", () => {
  // The compiler reports a method that is missing, or whose types differ, as an error of the assignments.
  const methods = (differences: Differences): AllTrue => differences
  const inputs = (accepted: Inputs[number]): true => accepted
  const fields = (same: WebhookFields[number]): true => same
  const names = (same: Names[number]): true => same
  expect([methods, inputs, fields, names]).toHaveLength(4)
})
