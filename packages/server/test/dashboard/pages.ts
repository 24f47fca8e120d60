/** The pages of an account in the dashboard, with the title of each. */
export const pages = [
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

/** The page of the operator of the installation. */
export const operatorPage = ["/operator", "Operator"] as const
