import { defaultLimits, type Limits } from "@frontdesk/core/access/AccountLimits"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SettingCodecs from "./SettingCodecs.ts"
import { define, type Read } from "./Setting.ts"

const count = (max: number) =>
  SettingCodecs.read(
    Schema.Int,
    SettingCodecs.number(
      `a whole number from 1 to ${max}`,
      (value) => Number.isInteger(value) && value >= 1 && value <= max
    )
  )

const size = (max: number, expected: string) =>
  SettingCodecs.read(Schema.Int, (text) =>
    Result.filterOrFail(
      SettingCodecs.byteSize(text),
      (bytes) => bytes <= max,
      () => expected
    )
  )

/**
 * The settings for the quotas of an account. Resources that the API returns in one answer have lower maximums than
 * resources that it returns in pages.
 */
export const accountLimitSettings = {
  maxContacts: define({
    variable: "FRONTDESK_MAX_CONTACTS",
    meaning: "Maximum number of contacts of an account",
    fallback: String(defaultLimits.contacts),
    example: "1000000",
    codec: count(1_000_000_000)
  }),
  maxCalendarEvents: define({
    variable: "FRONTDESK_MAX_CALENDAR_EVENTS",
    meaning: "Maximum number of calendar events of an account",
    fallback: String(defaultLimits.calendarEvents),
    example: "5000000",
    codec: count(1_000_000_000)
  }),
  maxWebhooks: define({
    variable: "FRONTDESK_MAX_WEBHOOKS",
    meaning: "Maximum number of webhooks of an account, at most 5000",
    fallback: String(defaultLimits.webhooks),
    example: "1000",
    codec: count(5_000)
  }),
  maxWebhooksSize: define({
    variable: "FRONTDESK_MAX_WEBHOOKS_SIZE",
    meaning:
      "Maximum size of the names, URLs and webhook events of all webhooks of an account together as JSON, at most 16 MiB",
    fallback: "1 MiB",
    example: "2 MiB",
    codec: size(16_777_216, "a size from 1 B to 16 MiB")
  }),
  maxVariables: define({
    variable: "FRONTDESK_MAX_VARIABLES",
    meaning: "Maximum number of variable definitions of an account, without default ones; at most 10000",
    fallback: String(defaultLimits.variables),
    example: "1000",
    codec: count(10_000)
  }),
  maxVariablesSize: define({
    variable: "FRONTDESK_MAX_VARIABLES_SIZE",
    meaning: "Maximum size of all variable definitions of an account together as JSON, at most 16 MiB",
    fallback: "1 MiB",
    example: "2 MiB",
    codec: size(16_777_216, "a size from 1 B to 16 MiB")
  }),
  maxApiKeys: define({
    variable: "FRONTDESK_MAX_API_KEYS",
    meaning: "Maximum number of API keys of an account, including revoked and expired ones",
    fallback: String(defaultLimits.apiKeys),
    example: "5000",
    codec: count(100_000)
  }),
  maxAgents: define({
    variable: "FRONTDESK_MAX_AGENTS",
    meaning: "Maximum number of agents of an account that the API creates, including archived ones; at most 10000",
    fallback: String(defaultLimits.agents),
    example: "5000",
    codec: count(10_000)
  }),
  maxMembers: define({
    variable: "FRONTDESK_MAX_MEMBERS",
    meaning: "Maximum number of members of an account, who may sign in to its dashboard; at most 1000",
    fallback: String(defaultLimits.members),
    example: "500",
    codec: count(1_000)
  })
}

/** Returns the quotas as core expects them. */
export const accountLimits = (read: Read<typeof accountLimitSettings>): Limits => ({
  apiKeys: read.maxApiKeys,
  calendarEvents: read.maxCalendarEvents,
  contacts: read.maxContacts,
  variables: read.maxVariables,
  variableBytes: read.maxVariablesSize,
  webhooks: read.maxWebhooks,
  webhookBytes: read.maxWebhooksSize,
  agents: read.maxAgents,
  members: read.maxMembers,
  signInLinks: defaultLimits.signInLinks
})
