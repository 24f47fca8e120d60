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

/** How many of each resource an account may have. What is listed in one answer has a lower bound than what has pages. */
export const accountLimitSettings = {
  maxContacts: define({
    variable: "FRONTDESK_MAX_CONTACTS",
    meaning: "How many contacts an account may have",
    fallback: String(defaultLimits.contacts),
    example: "1000000",
    codec: count(1_000_000_000)
  }),
  maxCalendarEvents: define({
    variable: "FRONTDESK_MAX_CALENDAR_EVENTS",
    meaning: "How many calendar events an account may have",
    fallback: String(defaultLimits.calendarEvents),
    example: "5000000",
    codec: count(1_000_000_000)
  }),
  maxWebhooks: define({
    variable: "FRONTDESK_MAX_WEBHOOKS",
    meaning: "How many webhooks an account may have, 5000 at most",
    fallback: String(defaultLimits.webhooks),
    example: "1000",
    codec: count(5_000)
  }),
  maxWebhooksSize: define({
    variable: "FRONTDESK_MAX_WEBHOOKS_SIZE",
    meaning: "How large their names, URLs and events may be together as JSON, 16 MiB at most",
    fallback: "1 MiB",
    example: "2 MiB",
    codec: size(16_777_216, "a size from 1 B to 16 MiB")
  }),
  maxVariables: define({
    variable: "FRONTDESK_MAX_VARIABLES",
    meaning: "How many definitions of variables an account may have, without the default ones; 10000 at most",
    fallback: String(defaultLimits.variables),
    example: "1000",
    codec: count(10_000)
  }),
  maxVariablesSize: define({
    variable: "FRONTDESK_MAX_VARIABLES_SIZE",
    meaning: "How large these definitions may be together as JSON, 16 MiB at most",
    fallback: "1 MiB",
    example: "2 MiB",
    codec: size(16_777_216, "a size from 1 B to 16 MiB")
  }),
  maxApiKeys: define({
    variable: "FRONTDESK_MAX_API_KEYS",
    meaning: "How many API keys an account may have, revoked and expired ones included",
    fallback: String(defaultLimits.apiKeys),
    example: "5000",
    codec: count(100_000)
  })
}

/** Returns the limits that these settings say. */
export const accountLimits = (read: Read<typeof accountLimitSettings>): Limits => ({
  apiKeys: read.maxApiKeys,
  calendarEvents: read.maxCalendarEvents,
  contacts: read.maxContacts,
  variables: read.maxVariables,
  variableBytes: read.maxVariablesSize,
  webhooks: read.maxWebhooks,
  webhookBytes: read.maxWebhooksSize
})
