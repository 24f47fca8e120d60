/**
 * The paths of the pages below the dashboard. A segment that begins with a colon has a value. The server serves the pages at
 * these paths, and the pages themselves decide what they show.
 */
export const paths = [
  "/calls",
  "/calls/:id",
  "/calendar",
  "/contacts",
  "/contacts/do-not-call",
  "/contacts/:id",
  "/variables",
  "/webhooks",
  "/webhooks/:id",
  "/webhooks/:id/deliveries/:delivery",
  "/agents",
  "/agents/:id",
  "/tasks",
  "/settings/keys",
  "/settings/account",
  "/settings/calendars",
  "/settings/people",
  "/audit",
  "/operator"
] as const satisfies ReadonlyArray<`/${string}`>
