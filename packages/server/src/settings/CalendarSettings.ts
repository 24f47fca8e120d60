import { CaldavHttpClient } from "@frontdesk/calendar-sync/CaldavHttpClient"
import type * as CalendarProviders from "@frontdesk/calendar-sync/CalendarProviders"
import { matching } from "@frontdesk/core/values/TextReader"
import { PublicHttpClient } from "@frontdesk/webhook-sender"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SettingCodecs from "./SettingCodecs.ts"
import { define, type Missing, missing, type Read, requireAll } from "./Setting.ts"

const clientId = SettingCodecs.read(
  Schema.NullOr(Schema.String),
  SettingCodecs.orNull(matching("an id without spaces", /^\S+$/))
)

const secret = SettingCodecs.read(
  Schema.NullOr(Schema.Redacted(Schema.String)),
  SettingCodecs.orNull(SettingCodecs.secret)
)

const url = SettingCodecs.read(Schema.NullOr(Schema.String), SettingCodecs.orNull(SettingCodecs.baseUrl))

/** The settings for external calendars: the operator's OAuth clients, and the hosts of CalDAV, which needs no client. */
export const calendarSettings = {
  googleClientId: define({
    variable: "FRONTDESK_GOOGLE_CLIENT_ID",
    meaning: "The OAuth client with Google through which accounts give access to their calendars",
    fallback: "",
    fallbackInWords: "none: no Google calendars",
    example: "0123456789-abc.apps.googleusercontent.com",
    codec: clientId
  }),
  googleClientSecret: define({
    variable: "FRONTDESK_GOOGLE_CLIENT_SECRET",
    meaning: "The secret of the OAuth client with Google",
    fallback: "",
    fallbackInWords: "none",
    example: "the secret that Google's console shows",
    isSecret: true,
    codec: secret
  }),
  googleBaseUrl: define({
    variable: "FRONTDESK_GOOGLE_BASE_URL",
    meaning: "Address of Google's API and authorization, instead of Google's own",
    fallback: "",
    fallbackInWords: "Google's own",
    example: "http://127.0.0.1:8793",
    codec: url
  }),
  outlookClientId: define({
    variable: "FRONTDESK_OUTLOOK_CLIENT_ID",
    meaning: "The application at Microsoft through which accounts give access to their calendars",
    fallback: "",
    fallbackInWords: "none: no Outlook calendars",
    example: "01234567-89ab-cdef-0123-456789abcdef",
    codec: clientId
  }),
  outlookClientSecret: define({
    variable: "FRONTDESK_OUTLOOK_CLIENT_SECRET",
    meaning: "The secret of the application at Microsoft",
    fallback: "",
    fallbackInWords: "none",
    example: "the value that Microsoft's portal showed once",
    isSecret: true,
    codec: secret
  }),
  outlookTenant: define({
    variable: "FRONTDESK_OUTLOOK_TENANT",
    meaning: "Which Microsoft accounts may connect: those of a directory, or common, organizations or consumers",
    fallback: "common",
    example: "common",
    codec: SettingCodecs.read(Schema.String, matching("common, organizations, consumers, or a directory", /^[\w.-]+$/))
  }),
  outlookBaseUrl: define({
    variable: "FRONTDESK_OUTLOOK_BASE_URL",
    meaning: "Address of Microsoft's API and authorization, instead of Microsoft's own",
    fallback: "",
    fallbackInWords: "Microsoft's own",
    example: "http://127.0.0.1:8794",
    codec: url
  }),
  caldavPrivateHosts: define({
    variable: "FRONTDESK_CALDAV_PRIVATE_HOSTS",
    meaning: "The hosts of CalDAV servers that may have a private address, separated by commas",
    fallback: "none",
    example: "calendar.internal,10.0.0.5",
    codec: SettingCodecs.read(Schema.Array(Schema.String), SettingCodecs.list(PublicHttpClient.privateHost))
  })
}

/** What the settings choose for external calendars. */
export interface CalendarsChoice extends Required<CalendarProviders.Clients> {
  /** The hosts of CalDAV servers that may have a private address. */
  readonly caldavPrivateHosts: ReadonlyArray<string>
}

/** Provides the client for CalDAV servers. It reaches public addresses and the private hosts. */
export const caldavClient = ({ caldavPrivateHosts }: CalendarsChoice): Layer.Layer<CaldavHttpClient> =>
  CaldavHttpClient.layer(PublicHttpClient.layer({ privateHosts: caldavPrivateHosts }))

/** Returns the OAuth clients that the settings describe, or the settings that are missing. */
export const choose = (read: Read<typeof calendarSettings>): Result.Result<CalendarsChoice, ReadonlyArray<Missing>> => {
  const [google, outlook] = [chooseGoogle(read), chooseOutlook(read)]
  return Result.isSuccess(google) && Result.isSuccess(outlook)
    ? Result.succeed({
        google: google.success,
        outlook: outlook.success,
        caldavPrivateHosts: read.caldavPrivateHosts
      })
    : Result.fail([...missing(google), ...missing(outlook)])
}

const chooseGoogle = (
  read: Read<typeof calendarSettings>
): Result.Result<CalendarsChoice["google"], ReadonlyArray<Missing>> => {
  const { googleBaseUrl, googleClientId, googleClientSecret } = read
  if (googleClientId === null && googleClientSecret === null) return Result.succeed(null)
  const given = googleClientId === null ? calendarSettings.googleClientSecret : calendarSettings.googleClientId
  return Result.map(
    requireAll(calendarSettings, read, ["googleClientId", "googleClientSecret"], `because ${given.variable} is given`),
    (all) => ({ clientId: all.googleClientId, clientSecret: all.googleClientSecret, baseUrl: googleBaseUrl })
  )
}

const chooseOutlook = (
  read: Read<typeof calendarSettings>
): Result.Result<CalendarsChoice["outlook"], ReadonlyArray<Missing>> => {
  const { outlookBaseUrl, outlookClientId, outlookClientSecret, outlookTenant } = read
  if (outlookClientId === null && outlookClientSecret === null) return Result.succeed(null)
  const given = outlookClientId === null ? calendarSettings.outlookClientSecret : calendarSettings.outlookClientId
  return Result.map(
    requireAll(
      calendarSettings,
      read,
      ["outlookClientId", "outlookClientSecret"],
      `because ${given.variable} is given`
    ),
    (all) => ({
      clientId: all.outlookClientId,
      clientSecret: all.outlookClientSecret,
      baseUrl: outlookBaseUrl,
      tenant: outlookTenant
    })
  )
}
