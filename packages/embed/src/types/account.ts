import type { CalendarProvider, CallOptions, List, LocalDate, PageQuery, Permission, TeamRef, Time } from "./common.ts"

/** The windows of wall times of a day: `[["09:00", "12:00"], ["13:00", "24:00"]]`. */
export type Windows = ReadonlyArray<readonly [start: string, end: string]>

/** The working hours of each weekday. A weekday that is absent is closed. */
export interface WorkingHours {
  readonly mon?: Windows | undefined
  readonly tue?: Windows | undefined
  readonly wed?: Windows | undefined
  readonly thu?: Windows | undefined
  readonly fri?: Windows | undefined
  readonly sat?: Windows | undefined
  readonly sun?: Windows | undefined
}

/** The settings of an account. Durations are minutes. */
export interface AccountSettings {
  readonly timeZone: string
  readonly workingHours: WorkingHours
  /** The windows of single dates, which replace the working hours: `{ "2026-12-25": [] }`. */
  readonly dateOverrides: { readonly [date: string]: Windows }
  /** The time between the starts of two slots. Null: the duration of the requested slot. */
  readonly slotIntervalMinutes: number | null
  /** The time before each busy interval in which no slot may lie. */
  readonly bufferBeforeMinutes: number
  /** The time after each busy interval in which no slot may lie. */
  readonly bufferAfterMinutes: number
  /** The minimum time from now until the start of a slot. */
  readonly minimumNoticeMinutes: number
  /** Whether a calendar event is rejected that overlaps another one. */
  readonly rejectConflicts: boolean
  /** Null: any contact status of 1 to 50 characters. */
  readonly contactStatuses: ReadonlyArray<string> | null
  /** Null: any contact stage of 1 to 50 characters. */
  readonly contactStages: ReadonlyArray<string> | null
  /** In millionths of the account's currency: 100,000 is 0.1. */
  readonly pricePerMinute: number
  readonly maxRunningCalls: number
  /**
   * How far the number of an inbound caller is trusted, which can be forged. With `number_only` agents use the first name of
   * the contact, and name, move and cancel appointments of the number. With `trusted` they also tell and change other fields
   * of the contact.
   */
  readonly inboundIdentity: "trusted" | "number_only"
  /** Whether an inbound call from a number without a contact creates one. */
  readonly inboundContacts: "known" | "create"
  /** The fields of a contact that the tool `update_contact` may change. */
  readonly agentContactFields: ReadonlyArray<AgentContactField>
  /** The language in which the tools of agents answer, as a tag of BCP 47 such as `en` or `pt-BR`. */
  readonly language: string
}

/** A field of a contact that an account may allow its agents to change. */
export type AgentContactField =
  | "first_name"
  | "last_name"
  | "email"
  | "company"
  | "website"
  | "address"
  | "city"
  | "state"
  | "zip_code"
  | "country"

/** One customer of the installation. */
export interface Account {
  readonly id: number
  readonly name: string
  readonly role: "standard" | "partner" | "client"
  /** The account that a client names as its partner. */
  readonly partnerId: number | null
  readonly teamIds: ReadonlyArray<number>
  readonly settings: AccountSettings
  readonly createdAt: string
}

/** The account to create. */
export interface CreateAccount extends Omit<Account, "id" | "createdAt"> {}

/** The account that replaces the stored one with its id. */
export interface PutAccount extends Omit<Account, "createdAt"> {
  readonly createdAt: Time
}

/** The money of an account, in millionths of its currency. */
export interface AccountFunds {
  readonly deposits: number
  readonly charges: number
  readonly reservations: number
  /** What the account can spend: deposits minus charges minus reservations. */
  readonly balance: number
}

/** The accounts of the installation. */
export interface Accounts {
  /** Creates an account with its default variables. */
  readonly create: (account: CreateAccount, options?: CallOptions) => Promise<Account>
  /** Replaces an account, except for its id and its money. */
  readonly update: (account: PutAccount, options?: CallOptions) => Promise<void>
  readonly get: (id: number, options?: CallOptions) => Promise<Account>
  /** Lists all accounts, sorted by id. */
  readonly list: (options?: CallOptions) => List<Account>
  /** Adds money, in millionths of the currency. */
  readonly deposit: (id: number, amount: number, options?: CallOptions) => Promise<AccountFunds>
  readonly funds: (id: number, options?: CallOptions) => Promise<AccountFunds>
}

/** An account as it sees itself: with its teams and its money. */
export interface AccountDetail extends Account {
  readonly teams: ReadonlyArray<TeamRef>
  readonly funds: AccountFunds
}

/** The settings that an account changes itself. */
type OwnSettings = {
  readonly [K in Exclude<keyof AccountSettings, "pricePerMinute" | "maxRunningCalls">]?: AccountSettings[K] | undefined
}

/**
 * The changes that an account makes to itself. An absent field keeps its value. What it pays, how many calls it may run, its
 * role and its teams are changed by the operator.
 */
export interface PatchOwnAccount extends OwnSettings {
  readonly name?: string | undefined
}

/** The account that the caller acts for. */
export interface OwnAccount {
  /** Returns the account with its teams and its money. */
  readonly get: (options?: CallOptions) => Promise<AccountDetail>
  /**
   * Changes the given fields. Changes of different fields at the same time are all kept. Working hours and date overrides
   * are replaced as a whole.
   */
  readonly patch: (changes: PatchOwnAccount, options?: CallOptions) => Promise<AccountDetail>
}

/**
 * Why the balance of an account changed. A `settlement` charges a call or corrects its charge, and a `release` gives back the
 * reservation of a call without a charge. An `opening` is the sum of changes that are not listed.
 */
export type MovementKind = "deposit" | "reservation" | "settlement" | "release" | "opening"

/** One change of the balance of an account, in millionths of its currency. */
export interface FundMovement {
  readonly id: number
  readonly kind: MovementKind
  /** By how much the balance changed. Negative when it became lower. */
  readonly amount: number
  /** The balance after the change. */
  readonly balanceAfter: number
  /** The call that the money is for, by its `callId`. Otherwise null. */
  readonly callId: string | null
  readonly at: string
}

/** The filters of a list of movements. */
export interface MovementQuery {
  readonly kind?: MovementKind | undefined
  /** The `callId` of a call. */
  readonly callId?: string | undefined
  /** The first day of the list, in the account's time zone. */
  readonly startDate?: LocalDate | undefined
  /** The last day of the list, in the account's time zone. */
  readonly endDate?: LocalDate | undefined
}

/** The money of an account. */
export interface FundMovements {
  /** Returns the sums of the account and its balance. */
  readonly balance: (options?: CallOptions) => Promise<AccountFunds>
  /**
   * Lists the changes of the balance, newest first. The amounts of all movements add up to the balance. The list has at most
   * the newest 10,000 that match the filters.
   */
  readonly movements: (query?: MovementQuery & PageQuery, options?: CallOptions) => List<FundMovement>
}

/** An API key. Its value is never stored. */
export interface ApiKey {
  readonly id: number
  readonly accountId: number
  readonly name: string
  readonly permissions: ReadonlyArray<Permission>
  /** The first 12 characters of the value. */
  readonly prefix: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  /** When a request last used the key, to the minute. */
  readonly lastUsedAt: string | null
  /** Until when the value from before the last rotation works. */
  readonly previousExpiresAt: string | null
  readonly createdAt: string
}

/** An API key with its new value, which only this result has. */
export interface IssuedApiKey {
  readonly apiKey: ApiKey
  readonly value: string
}

/** The API key to create. */
export interface CreateApiKey {
  readonly name: string
  /** Permissions that the caller has itself: see `frontdesk.as`. */
  readonly permissions: ReadonlyArray<Permission>
  /** When absent, the key never expires. A time without an offset is in the time zone of the account. */
  readonly expiresAt?: Time | null | undefined
  /** 32 to 255 visible ASCII characters. When absent, a value is generated. */
  readonly value?: string | undefined
  /** The mode of a generated value. Default: `live`. */
  readonly mode?: "live" | "test" | null | undefined
}

/** The options of a rotation. */
export interface RotateApiKey {
  /** How long the old value works beside the new one: text such as "2 hours", or milliseconds. Default: 24 hours. */
  readonly grace?: string | number | undefined
  /** Rotates although the value from before the last rotation still works. That value stops working at once. */
  readonly force?: boolean | undefined
}

/** The API keys of an account. */
export interface ApiKeys {
  /**
   * Creates a key. Only this answer and that of `rotate` have its value. Rejects with `permission_denied` when the caller
   * lacks one of the permissions.
   */
  readonly create: (key: CreateApiKey, options?: CallOptions) => Promise<IssuedApiKey>
  /** Lists all keys, oldest first. */
  readonly list: (options?: CallOptions) => List<ApiKey>
  readonly get: (id: number, options?: CallOptions) => Promise<ApiKey>
  /**
   * Gives a key a new value. The old value works for the grace time. Rejects with `permission_denied` when the key has a
   * permission that the caller lacks.
   */
  readonly rotate: (id: number, rotation?: RotateApiKey, options?: CallOptions) => Promise<IssuedApiKey>
  /** Revokes a key at once and for good. */
  readonly revoke: (id: number, options?: CallOptions) => Promise<ApiKey>
}

/** Identifies a connection to an external calendar. An account has at most one with each provider. */
export interface ConnectionKey {
  readonly accountId: number
  readonly provider: CalendarProvider
}

/** An account's connection to an external calendar. */
export interface CalendarConnection extends ConnectionKey {
  /** The id of the calendar at the provider, or its URL for CalDAV. */
  readonly calendar: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** A connection with its credentials. */
export interface OpenConnection {
  readonly connection: CalendarConnection
  /** A text in a format of the adapter, such as a password or tokens. */
  readonly credentials: string
}

/** The connections of all accounts to external calendars, for the operator. */
export interface CalendarConnections {
  /** Connects an account, or replaces its connection with the provider. */
  readonly connect: (
    key: ConnectionKey,
    calendar: string,
    credentials: string,
    options?: CallOptions
  ) => Promise<CalendarConnection>
  /** Lists the connections of an account, or of all accounts for null. */
  readonly list: (accountId: number | null, options?: CallOptions) => List<CalendarConnection>
  /** Deletes a connection and its credentials. Returns false when there was none. */
  readonly disconnect: (key: ConnectionKey, options?: CallOptions) => Promise<boolean>
  /** Returns a connection with its credentials, or null. */
  readonly open: (key: ConnectionKey, options?: CallOptions) => Promise<OpenConnection | null>
  /** Stores renewed credentials. Returns false when the stored ones are not `before`. */
  readonly renew: (key: ConnectionKey, before: string, after: string, options?: CallOptions) => Promise<boolean>
}

/** The kind of a task in the outbox. */
export type OutboxKind = "mail" | "calendar" | "sign_in"

/** Selects dead-lettered tasks. */
export interface OutboxFilter {
  readonly accountId?: number | undefined
  readonly kind?: OutboxKind | undefined
}

/** A dead-lettered task, without personal data. */
export interface OutboxReport {
  readonly id: number
  /** Null when this version cannot read the stored task. */
  readonly kind: OutboxKind | null
  /** The kind of the mail. Null for a task of another kind. */
  readonly mail: "created" | "updated" | "cancelled" | "withdrawn" | "reminder" | "sign_in" | "invitation" | null
  /** The external calendar of the write. Null for a task of another kind. */
  readonly provider: CalendarProvider | null
  /** Null for a mail with a sign-in link, which is about no calendar event. */
  readonly eventId: number | null
  readonly accountId: number
  readonly attempts: number
  /** Why the task was dead-lettered. */
  readonly reason: string
  readonly deadLetteredAt: string
}

/** The dead-lettered mails and calendar writes of every account, for the operator. */
export interface OutboxOperations {
  /** Lists dead-lettered tasks, the newest first. */
  readonly list: (query?: OutboxFilter & PageQuery, options?: CallOptions) => List<OutboxReport>
  /** Makes a dead-lettered task due at once, with the full number of attempts. */
  readonly retry: (id: number, options?: CallOptions) => Promise<void>
  /** Retries all tasks that the filter selects, and returns how many. */
  readonly retryAll: (filter?: OutboxFilter, options?: CallOptions) => Promise<number>
}

/** Selects the tasks that `tasks.retryAll` retries. */
export interface RetryTasks {
  readonly kind?: OutboxKind | undefined
  /** Only tasks with a lower id are retried: the `nextBeforeId` of an earlier call. */
  readonly beforeId?: number | undefined
}

/** What `tasks.retryAll` has done. */
export interface RetriedTasks {
  readonly retried: number
  /** The `beforeId` of the next call, which retries the older tasks. Null when there are no older tasks. */
  readonly nextBeforeId: number | null
}

/** The dead-lettered mails and calendar writes of the account. */
export interface DeadLetteredTasks {
  /** Lists the account's dead-lettered tasks, the newest first. */
  readonly list: (query?: Omit<OutboxFilter, "accountId"> & PageQuery, options?: CallOptions) => List<OutboxReport>
  /** Makes a dead-lettered task due at once, with the full number of attempts. */
  readonly retry: (id: number, options?: CallOptions) => Promise<void>
  /** Retries up to 500 of the account's dead-lettered tasks, the newest first. */
  readonly retryAll: (body?: RetryTasks, options?: CallOptions) => Promise<RetriedTasks>
}
