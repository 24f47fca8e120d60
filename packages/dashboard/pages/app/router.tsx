import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Link } from "@tanstack/react-router"
import { Page } from "../ui/Page.tsx"
import { basePath } from "./base.ts"
import { Shell } from "./Shell.tsx"

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <Page title="No such page">
      <p>
        There is no page with this address. <Link to="/">Go to the overview.</Link>
      </p>
    </Page>
  )
})

/** Returns the texts of a search that have one of these names. They are the filters of a list, and a part of its address. */
const texts =
  <const Name extends string>(...names: ReadonlyArray<Name>) =>
  (search: Readonly<Record<string, unknown>>): Filters<Name> => {
    const found: Record<string, unknown> = {}
    for (const name of names) {
      const value = search[name]
      if (typeof value === "string" && value !== "") found[name] = value
      else if (typeof value === "number") found[name] = String(value)
    }
    const page = Number(search["page"])
    if (Number.isInteger(page) && page > 1) found["page"] = page
    /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
       -- The loop has made the fields one by one. */
    return found as Filters<Name>
  }

/** The filters of a list and the number of its page, as the address has them. */
type Filters<Name extends string> = { readonly [N in Name]?: string | undefined } & {
  readonly page?: number | undefined
}

const overview = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("../overview/OverviewPage.tsx"), "OverviewPage")
})

const calls = createRoute({
  getParentRoute: () => root,
  path: "/calls",
  validateSearch: texts("status", "type", "agent_id", "phone_number", "start_date", "end_date"),
  component: lazyRouteComponent(() => import("../calls/CallsPage.tsx"), "CallsPage")
})

const call = createRoute({
  getParentRoute: () => root,
  path: "/calls/$id",
  component: lazyRouteComponent(() => import("../calls/CallPage.tsx"), "CallPage")
})

const calendar = createRoute({
  getParentRoute: () => root,
  path: "/calendar",
  validateSearch: texts("date", "view", "event", "minutes"),
  component: lazyRouteComponent(() => import("../calendar/CalendarPage.tsx"), "CalendarPage")
})

const contacts = createRoute({
  getParentRoute: () => root,
  path: "/contacts",
  validateSearch: texts("search", "status", "stage", "tag", "phone_number"),
  component: lazyRouteComponent(() => import("../contacts/ContactsPage.tsx"), "ContactsPage")
})

const contact = createRoute({
  getParentRoute: () => root,
  path: "/contacts/$id",
  component: lazyRouteComponent(() => import("../contacts/ContactPage.tsx"), "ContactPage")
})

const variables = createRoute({
  getParentRoute: () => root,
  path: "/variables",
  validateSearch: texts("context_type"),
  component: lazyRouteComponent(() => import("../variables/VariablesPage.tsx"), "VariablesPage")
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("../webhooks/WebhooksPage.tsx"), "WebhooksPage")
})

const webhook = createRoute({
  getParentRoute: () => root,
  path: "/webhooks/$id",
  validateSearch: texts("status"),
  component: lazyRouteComponent(() => import("../webhooks/WebhookPage.tsx"), "WebhookPage")
})

const agents = createRoute({
  getParentRoute: () => root,
  path: "/agents",
  validateSearch: texts("archived"),
  component: lazyRouteComponent(() => import("../agents/AgentsPage.tsx"), "AgentsPage")
})

const tasks = createRoute({
  getParentRoute: () => root,
  path: "/tasks",
  validateSearch: texts("kind"),
  component: lazyRouteComponent(() => import("../tasks/TasksPage.tsx"), "TasksPage")
})

const keys = createRoute({
  getParentRoute: () => root,
  path: "/settings/keys",
  component: lazyRouteComponent(() => import("../settings/KeysPage.tsx"), "KeysPage")
})

const account = createRoute({
  getParentRoute: () => root,
  path: "/settings/account",
  component: lazyRouteComponent(() => import("../settings/AccountPage.tsx"), "AccountPage")
})

const calendars = createRoute({
  getParentRoute: () => root,
  path: "/settings/calendars",
  validateSearch: texts("connected", "error"),
  component: lazyRouteComponent(() => import("../settings/CalendarsPage.tsx"), "CalendarsPage")
})

const people = createRoute({
  getParentRoute: () => root,
  path: "/settings/people",
  component: lazyRouteComponent(() => import("../settings/PeoplePage.tsx"), "PeoplePage")
})

const audit = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  validateSearch: texts("actor_type", "operation", "entity_type", "entity_id", "start_date", "end_date", "cursor"),
  component: lazyRouteComponent(() => import("../audit/AuditPage.tsx"), "AuditPage")
})

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    calls,
    call,
    calendar,
    contacts,
    contact,
    variables,
    webhooks,
    webhook,
    agents,
    tasks,
    keys,
    account,
    calendars,
    people,
    audit
  ]),
  basepath: basePath === "" ? "/" : basePath,
  defaultPreload: "intent",
  scrollRestoration: true
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
