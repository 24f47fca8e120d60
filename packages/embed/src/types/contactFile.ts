import type { CallOptions, List, PageQuery } from "./common.ts"

/** The state of an import. Parts are added while it is `uploading`. */
export type ContactImportStatus = "uploading" | "running" | "finished" | "failed" | "cancelled"

/** Which column of the file fills which field of a contact: `{ column: "E-mail", field: "email" }`. */
export interface ImportColumn {
  readonly column: string
  /** The name of a field in snake_case, such as `phone_number`, or `custom_context.` followed by a name. */
  readonly field: string
}

/** The import to create. Null counts as absent. */
export interface CreateContactImport {
  /** What to do with a line whose phone number or e-mail address a contact has. Default: `skip`. */
  readonly onKnown?: "skip" | "update" | "refuse" | null | undefined
  /** The character between two cells. Default: a comma. */
  readonly separator?: "," | ";" | "\t" | "|" | null | undefined
  /** Whether lines are only checked. */
  readonly dryRun?: boolean | null | undefined
  /** Default: each column that has the name of a field fills it. */
  readonly columns?: ReadonlyArray<ImportColumn> | null | undefined
}

/** One part of the CSV text of an import. Parts are numbered from 1, and may be cut anywhere. */
export interface ContactImportPart {
  readonly number: number
  /** At most 262,144 characters. */
  readonly csv: string
}

/** An import of contacts from a CSV file. */
export interface ContactImport {
  readonly id: number
  readonly accountId: number
  readonly status: ContactImportStatus
  readonly onKnown: "skip" | "update" | "refuse"
  readonly separator: string
  readonly dryRun: boolean
  readonly columns: ReadonlyArray<ImportColumn> | null
  /** How many parts were added. */
  readonly parts: number
  /** How many parts were read to their end, and deleted. */
  readonly partsRead: number
  /** How many lines were read. Each was created, updated, skipped or refused. */
  readonly lines: number
  readonly created: number
  readonly updated: number
  readonly skipped: number
  readonly refused: number
  /** Why an import has failed. */
  readonly failure: { readonly code: string; readonly message: string } | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A line that was not imported. */
export interface RefusedLine {
  /** The number of the line. The header is line 1. */
  readonly line: number
  readonly problems: ReadonlyArray<{ readonly field: string; readonly code: string; readonly message: string }>
  /** The cells of the line, by the names of their columns. */
  readonly values: { readonly [column: string]: string }
}

/** Imports of contacts from CSV files. */
export interface ContactImports {
  /** Creates an import without parts. */
  readonly create: (input: CreateContactImport, options?: CallOptions) => Promise<ContactImport>
  /** Stores a part of the file. A part with the same number is replaced. */
  readonly addPart: (id: number, part: ContactImportPart, options?: CallOptions) => Promise<ContactImport>
  /** Starts an import whose parts are all stored. */
  readonly start: (id: number, options?: CallOptions) => Promise<ContactImport>
  /** Ends an import and deletes its parts. Contacts that were created or changed stay. */
  readonly cancel: (id: number, options?: CallOptions) => Promise<ContactImport>
  /** Returns an import with its counts. */
  readonly get: (id: number, options?: CallOptions) => Promise<ContactImport>
  /** Lists the imports of the account, newest first. */
  readonly list: (query?: PageQuery, options?: CallOptions) => List<ContactImport>
  /** Lists the lines that were not imported, sorted by line. */
  readonly refused: (id: number, query?: PageQuery, options?: CallOptions) => List<RefusedLine>
}

/** A part of an exported file. */
export interface ContactExportPage {
  /** CSV text with whole lines. */
  readonly csv: string
  /** The `after` of the next page. Null when no contacts follow. */
  readonly next: number | null
}

/** The contacts of an account as files. */
export interface ContactExports {
  /** Returns a part of a CSV file with all contacts that the account owns. All texts one after the other are the file. */
  readonly page: (query: { readonly after?: number | undefined }, options?: CallOptions) => Promise<ContactExportPage>
}

/** What an erasure leaves, because it is not the account's data alone or not stored here. */
export type RemainingData =
  | "do_not_call_list"
  | "sent_webhooks"
  | "sent_mails"
  | "provider_data"
  | "external_calendars"
  | "unfinished_imports"
  | "shared_numbers"
  | "team_answers"
  | "backups"

/** What an erasure has cleared or deleted, and what it leaves. */
export interface ErasureReport {
  readonly contactId: number
  readonly calls: number
  readonly toolCalls: number
  readonly calendarEvents: number
  /** How many of the calendar events end in the future. They stay in the calendar without the person. */
  readonly futureCalendarEvents: number
  readonly mails: number
  readonly deliveries: number
  readonly storedAnswers: number
  readonly refusedLines: number
  readonly remaining: ReadonlyArray<RemainingData>
}

/** Erases persons from all records of an account. */
export interface ContactErasures {
  /**
   * Deletes a contact and removes the person from all other records. Rejects with `contact_in_call` while a call of the
   * contact has not ended. It cannot be undone; a call that was interrupted can be repeated.
   */
  readonly erase: (id: number, input: { readonly confirm: true }, options?: CallOptions) => Promise<ErasureReport>
}
