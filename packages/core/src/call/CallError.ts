import * as Schema from "effect/Schema"
import { Money } from "../values/Money.ts"

/** No call with this id is visible to the caller (C-7-18: 404 `not_found`). */
export class CallNotFound extends Schema.TaggedError<CallNotFound>("@frontdesk/core/call/CallNotFound")(
  "CallNotFound",
  { call: Schema.String }
) {}

/** The agent has no phone number to call from (C-4.2-2, D-CALL-6: 400 `agent_phone_number_missing`). */
export class AgentPhoneNumberMissing extends Schema.TaggedError<AgentPhoneNumberMissing>(
  "@frontdesk/core/call/AgentPhoneNumberMissing"
)("AgentPhoneNumberMissing", { agentId: Schema.Int }) {}

/**
 * The phone number is on the caller's do-not-call list (D-DNC-5: 403 `do_not_call`). Or the caller sees a contact with
 * this number, and the number is on the list of the contact's account.
 */
export class DoNotCall extends Schema.TaggedError<DoNotCall>("@frontdesk/core/call/DoNotCall")("DoNotCall", {
  phoneNumber: Schema.String
}) {}

/** The account has the maximum number of running calls (D-CALL-7: 429 `concurrency_limit_reached`). */
export class ConcurrencyLimitReached extends Schema.TaggedError<ConcurrencyLimitReached>(
  "@frontdesk/core/call/ConcurrencyLimitReached"
)("ConcurrencyLimitReached", { limit: Schema.Int }) {}

/** The balance does not cover the price of the first minute (C-4.2-3, D-CALL-6: 402 `insufficient_funds`). */
export class InsufficientFunds extends Schema.TaggedError<InsufficientFunds>("@frontdesk/core/call/InsufficientFunds")(
  "InsufficientFunds",
  { balance: Money, required: Money }
) {}

/**
 * The provider refused to start the call, which is stored as `failed` and costs nothing. The API answers 503
 * `provider_unavailable` when the provider may accept the call later (`retryable`), and 502 `provider_error` otherwise
 * (D-CALL-10).
 */
export class ProviderRefused extends Schema.TaggedError<ProviderRefused>("@frontdesk/core/call/ProviderRefused")(
  "ProviderRefused",
  { callId: Schema.String, code: Schema.String, reason: Schema.String, retryable: Schema.Boolean }
) {}

/** The adapter cannot ask its provider for such a call, so no call is stored (D-CALL-11: 502 `provider_error`). */
export class CallNotPlaceable extends Schema.TaggedError<CallNotPlaceable>("@frontdesk/core/call/CallNotPlaceable")(
  "CallNotPlaceable",
  { code: Schema.String, reason: Schema.String }
) {}

/** The number to call is not in E.164 form (D-CALL-2: 400 `invalid_phone_number`). */
export class InvalidPhoneNumber extends Schema.TaggedError<InvalidPhoneNumber>(
  "@frontdesk/core/call/InvalidPhoneNumber"
)("InvalidPhoneNumber", { phoneNumber: Schema.String }) {}

/** The provider did not confirm that it ended the call, so the call may go on (D-PROV-1: 503 `provider_unavailable`). */
export class CallNotHungUp extends Schema.TaggedError<CallNotHungUp>("@frontdesk/core/call/CallNotHungUp")(
  "CallNotHungUp",
  { callId: Schema.String, cause: Schema.String }
) {}
