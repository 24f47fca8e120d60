import type {
  AuthenticationRequired,
  CallerReadOnly,
  InvalidKey,
  InvalidSession,
  PermissionDenied
} from "@frontdesk/core/access/AccessError"
import type { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import type { OwnApiKeys } from "@frontdesk/core/access/OwnApiKeys"
import type { OwnAccount } from "@frontdesk/core/account/OwnAccount"
import type { Agents } from "@frontdesk/core/agent/Agents"
import type { Availability } from "@frontdesk/core/availability/Availability"
import type { BusinessContext } from "@frontdesk/core/business-context/BusinessContext"
import type { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import type { Calls } from "@frontdesk/core/call/Calls"
import type { ContactExports } from "@frontdesk/core/contact-file/ContactExports"
import type { ContactImports } from "@frontdesk/core/contact-file/ContactImports"
import type { Contacts } from "@frontdesk/core/contact/Contacts"
import type { ContactErasures } from "@frontdesk/core/erasure/ContactErasures"
import type { ContactRecords } from "@frontdesk/core/erasure/ContactRecords"
import type { ExternalCalendars } from "@frontdesk/core/external-calendar/ExternalCalendars"
import type {
  IdempotencyAnswerLost,
  IdempotencyInProgress,
  IdempotencyKeyReuse
} from "@frontdesk/core/idempotency/IdempotencyError"
import type { Operator } from "@frontdesk/core/operator/Operator"
import type { DeadLetteredTasks } from "@frontdesk/core/outbox/DeadLetteredTasks"
import type { Members } from "@frontdesk/core/people/Members"
import type { Sessions } from "@frontdesk/core/people/Sessions"
import type { SignInLinks } from "@frontdesk/core/people/SignInLinks"
import type { MissingParameter, ValidationError } from "@frontdesk/core/values/ValidationError"
import type { ContextVariables } from "@frontdesk/core/variable/ContextVariables"
import type { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import type * as Effect from "effect/Effect"
import type { CallContactNotFound } from "./call/CallContactNotFound.ts"
import type { RequestError } from "./request/RequestError.ts"

type ErrorOf<Member> =
  Member extends Effect.Effect<unknown, infer E, infer _R>
    ? E
    : Member extends (...args: never) => Effect.Effect<unknown, infer E, infer _R>
      ? E
      : never

/** The errors with which the members of a service fail. */
export type ErrorsOf<Service> = { readonly [K in keyof Service]: ErrorOf<Service[K]> }[keyof Service]

/** Every error of the services that the API calls. */
type ServiceError =
  | ErrorsOf<Agents["Service"]>
  | ErrorsOf<Calls["Service"]>
  | ErrorsOf<Contacts["Service"]>
  | ErrorsOf<ContactImports["Service"]>
  | ErrorsOf<ContactExports["Service"]>
  | ErrorsOf<ContactErasures["Service"]>
  | ErrorsOf<ContactRecords["Service"]>
  | ErrorsOf<ContextVariables["Service"]>
  | ErrorsOf<BusinessContext["Service"]>
  | ErrorsOf<CalendarEvents["Service"]>
  | ErrorsOf<Availability["Service"]>
  | ErrorsOf<Webhooks["Service"]>
  | ErrorsOf<OwnApiKeys["Service"]>
  | ErrorsOf<OwnAccount["Service"]>
  | ErrorsOf<Members["Service"]>
  | ErrorsOf<Sessions["Service"]>
  | ErrorsOf<Omit<SignInLinks["Service"], "use">>
  | ErrorsOf<Operator["Service"]>
  | ErrorsOf<DeadLetteredTasks["Service"]>
  | ErrorsOf<Omit<ExternalCalendars["Service"], "endAuthorization">>
  | ErrorsOf<Pick<ApiKeys["Service"], "authenticate">>

/** Every expected error of a request. The error table (`ErrorTable.ts`) has a row for each. */
export type HttpError =
  | ServiceError
  | CallContactNotFound
  | RequestError
  | AuthenticationRequired
  | InvalidKey
  | InvalidSession
  | PermissionDenied
  | CallerReadOnly
  | MissingParameter
  | ValidationError
  | IdempotencyInProgress
  | IdempotencyAnswerLost
  | IdempotencyKeyReuse
