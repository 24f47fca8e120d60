import type { DeadLetteredTask } from "@frontdesk/client"
import { nameOf } from "../settings/calendarProviders.ts"

/** The kind of a task that can be given up. */
export type TaskKind = NonNullable<DeadLetteredTask["kind"]>

/** The kinds of tasks, as a person reads them. */
export const kinds: { readonly [Kind in TaskKind]: string } = {
  mail: "Mails to customers",
  calendar: "Changes of external calendars",
  sign_in: "Mails with sign-in links"
}

const mails: { readonly [Mail in NonNullable<DeadLetteredTask["mail"]>]: string } = {
  created: "Mail about a new appointment",
  updated: "Mail about a changed appointment",
  cancelled: "Mail about a cancelled appointment",
  reminder: "Mail that reminds of an appointment",
  withdrawn: "Mail about an appointment that has another customer now",
  sign_in: "Mail with a sign-in link",
  invitation: "Mail that invites a person"
}

/** Returns what a task was for. */
export const purposeOf = ({ kind, mail, provider }: Pick<DeadLetteredTask, "kind" | "mail" | "provider">): string => {
  if (mail !== null) return mails[mail]
  if (provider !== null) return `Write an appointment to ${nameOf(provider)}`
  return kind === null ? "Task of another version of Frontdesk" : kinds[kind]
}

const reasons = new Map([
  ["defect", "Something unexpected went wrong in Frontdesk. Its log has the details."],
  ["timeout", "It took too long."],
  ["storage", "The database could not be used."],
  ["unreadable", "This version of Frontdesk cannot read the task."],
  ["mail: invalid", "The mail server has refused the mail or an address."],
  ["mail: unauthorized", "The mail server has refused the user name or password."],
  ["mail: transport", "The mail server could not be reached, or no mail server is set."],
  ["calendar: invalid", "The calendar has refused the change."],
  ["calendar: conflict", "The appointment was changed in the calendar at the same time."],
  ["calendar: gone", "The appointment or the calendar no longer exists there."],
  ["calendar: unauthorized", "The calendar no longer allows access. Connect it again."],
  ["calendar: rate_limited", "The calendar has allowed no further requests."],
  ["calendar: transport", "The calendar could not be reached."]
])

/** Returns why a task was given up. */
export const reasonOf = ({ reason }: Pick<DeadLetteredTask, "reason">): string => reasons.get(reason) ?? reason
