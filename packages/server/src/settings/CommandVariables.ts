/** Variables that one command alone reads, and that are no settings of a server. */
export const commandVariables = {
  /** The password or the refresh token of `frontdesk calendars connect`. */
  calendarSecret: "FRONTDESK_CALENDAR_SECRET",
  /** The database that `frontdesk copy` copies. */
  copyFrom: "FRONTDESK_COPY_FROM",
  /** The database that it copies to. */
  copyTo: "FRONTDESK_COPY_TO"
} as const
