import type { CalendarConnection } from "./account.ts"

/** Twilio places the calls. */
export interface TwilioOptions {
  /** The SID of the account: `AC` and 32 hexadecimal digits. */
  readonly accountSid: string
  /** The token of the account. Twilio signs its callbacks with it, also when the requests use an API key. */
  readonly authToken: string
  /** An API key for the requests, in place of the token. */
  readonly apiKey?: { readonly sid: string; readonly secret: string } | undefined
  /** The URL of the program that talks. Twilio requests TwiML from it when a call is answered. */
  readonly voiceUrl: string
  /**
   * The URL that conducts inbound calls: one for all agents, or one for each agent's assistant. A program at an `https:` URL
   * returns TwiML. A program at a `wss:` URL receives the audio as a media stream, and the URL must not have a query. Default:
   * `voiceUrl`.
   */
  readonly inboundUrl?: string | Readonly<Record<string, string>> | undefined
  /** The URL at which Twilio reaches the mount, such as `https://app.example.com/voice`. */
  readonly publicUrl: string
  /** Whether calls are recorded. Default: false. */
  readonly isRecording?: boolean | undefined
  /** Whether Twilio detects answering machines, for which it charges. Default: false. */
  readonly isDetectingMachines?: boolean | undefined
  /** The URL of Twilio's API. Default: `https://api.twilio.com`. */
  readonly baseUrl?: string | undefined
}

/** Vapi places the calls. */
export interface VapiOptions {
  /** The private key of the organization. */
  readonly apiKey: string
  /** Vapi's id of the number of all calls, or an id for each agent's number in E.164 form. */
  readonly phoneNumberId: string | Readonly<Record<string, string>>
  /** A secret of 16 characters or more, which proves that a message is from Vapi. */
  readonly webhookSecret: string
  /** A custom credential of Vapi that signs messages with the secret. Default: Vapi sends the secret itself. */
  readonly webhookCredentialId?: string | undefined
  /** The URL at which Vapi reaches the mount, such as `https://app.example.com/voice`. */
  readonly publicUrl: string
  /** The URL of Vapi's API. Default: `https://api.vapi.ai`. */
  readonly baseUrl?: string | undefined
}

/** Retell places the calls. */
export interface RetellOptions {
  /** An API key of the workspace. */
  readonly apiKey: string
  /** The API key with which Retell signs its requests: the one with the webhook badge. Default: `apiKey`. */
  readonly webhookKey?: string | undefined
  /** The URL at which Retell reaches the mount, such as `https://app.example.com/voice`. */
  readonly publicUrl: string
  /** The URL of Retell's API. Default: `https://api.retellai.com`. */
  readonly baseUrl?: string | undefined
}

/** The call provider. */
export type CallProviderOptions =
  | {
      readonly simulated: {
        /** By how much a simulated call is faster than a real one. 0: it ends at once. Default: 10. */
        readonly pace?: number | undefined
      }
    }
  | { readonly twilio: TwilioOptions }
  | { readonly vapi: VapiOptions }
  | { readonly retell: RetellOptions }

/** The mail server that sends invitations, changes, cancellations and reminders to customers. */
export interface MailOptions {
  /** `smtp://user:password@host:587`, or `smtps://` if the connection begins with TLS. */
  readonly url: string
  /** The sender: `Front desk <desk@example.com>`, or an address alone. */
  readonly from: string
  /** The address for replies. With it, invitations ask for an answer. */
  readonly replyTo?: string | undefined
  /** Whether to send without TLS where the server has none, and to trust any certificate. Default: false. */
  readonly allowInsecure?: boolean | undefined
}

/** The OAuth client of the program with a calendar provider. */
export interface OAuthClientOptions {
  readonly clientId: string
  readonly clientSecret: string
  /** Where the provider's API is, for tests. Default: at the provider. */
  readonly baseUrl?: string | undefined
}

/** The OAuth clients of the program, and how accounts connect. CalDAV, which Apple uses, needs no client. */
export interface CalendarOptions {
  /**
   * The URL at which browsers reach a mount, such as `https://app.example.com/voice`. Google and Outlook send the browser to
   * `/calendar/oauth/callback` below it. Default: the `publicUrl` of the call provider. Without both, accounts connect these
   * calendars only with `frontdesk.connectCalendar`.
   */
  readonly publicUrl?: string | undefined
  /** The origins of pages to which a browser may be sent back, besides that of `publicUrl`. Default: none. */
  readonly returnOrigins?: ReadonlyArray<string> | undefined
  readonly caldav?:
    | {
        /**
         * Hosts of CalDAV servers that may have a private address, such as `calendar.internal`. Default: none, because
         * accounts enter these addresses.
         */
        readonly privateHosts?: ReadonlyArray<string> | undefined
      }
    | undefined
  readonly google?: OAuthClientOptions | undefined
  readonly outlook?:
    | (OAuthClientOptions & {
        /** Whose accounts may connect: a tenant, `organizations`, `consumers` or `common`, which is the default. */
        readonly tenant?: string | undefined
      })
    | undefined
}

/** A calendar of Google or Outlook, and the access to it that a person has granted to the program's OAuth client. */
export interface ConnectOAuthCalendar {
  /** The id of the account, a number, or the ref with which it was provisioned, a text. */
  readonly account: number | string
  readonly provider: "google" | "outlook"
  readonly refreshToken: string
  /** The id of the calendar. Default: the main calendar. */
  readonly calendar?: string | undefined
}

/** A calendar on a CalDAV server. */
export interface ConnectCaldavCalendar {
  /** The id of the account, a number, or the ref with which it was provisioned, a text. */
  readonly account: number | string
  readonly provider: "apple"
  readonly username: string
  /** For iCloud an app-specific password. */
  readonly password: string
  /** The URL of the calendar. `frontdesk.caldavCalendars` lists those of a server. */
  readonly calendar: string
}

/** A calendar to connect an account with. */
export type ConnectCalendar = ConnectOAuthCalendar | ConnectCaldavCalendar

/** A new connection, and what the check of its calendar said. */
export interface ConnectedCalendar {
  readonly connection: CalendarConnection
  readonly says: string
}

/** The access to a CalDAV server. */
export interface CaldavAccount {
  readonly username: string
  readonly password: string
  /** Any URL of the server. Default: `https://caldav.icloud.com/`. */
  readonly url?: string | undefined
}

/** A calendar on a CalDAV server. */
export interface CaldavCalendar {
  readonly url: string
  readonly name: string
  readonly isWritable: boolean
}
