/** The pages of an account to which the navigation of the dashboard leads, in its order, with the title of each. */
export const navigation = [
  ["/", "Overview"],
  ["/calls", "Calls"],
  ["/calendar", "Calendar"],
  ["/contacts", "Contacts"],
  ["/agents", "Agents"],
  ["/variables", "Variables"],
  ["/webhooks", "Webhooks"],
  ["/settings/account", "Account"],
  ["/settings/calendars", "Calendars"],
  ["/settings/keys", "API keys"],
  ["/settings/people", "People"],
  ["/tasks", "Tasks given up"],
  ["/audit", "Audit log"]
] as const

/** All pages of an account, except those of one record. */
export const pages = [...navigation, ["/contacts/do-not-call", "Do not call"]] as const

/** The page of the operator of the installation. */
export const operatorPage = ["/operator", "Operator"] as const
