import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  type RouteComponent
} from "@tanstack/react-router"
import { Button } from "../ui/Button.tsx"
import { Page } from "../ui/Page.tsx"
import { parseSearch, stringifySearch } from "./addresses.ts"
import { textOf } from "./api.ts"
import { basePath } from "./base.ts"
import { filters } from "./filters.ts"
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

/**
 * Returns the component of a page, which is loaded when the page is opened. Its type says nothing of the page: the types of the
 * routes would otherwise depend on pages that depend on them.
 */
const page = (load: () => Promise<Readonly<Record<string, unknown>>>, name: string): RouteComponent =>
  lazyRouteComponent(load, name)

const overview = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: page(() => import("../overview/OverviewPage.tsx"), "OverviewPage")
})

const calls = createRoute({
  getParentRoute: () => root,
  path: "/calls",
  validateSearch: filters("status", "type", "agent_id", "phone_number", "search", "start_date", "end_date"),
  component: page(() => import("../calls/CallsPage.tsx"), "CallsPage")
})

const call = createRoute({
  getParentRoute: () => root,
  path: "/calls/$id",
  component: page(() => import("../calls/CallPage.tsx"), "CallPage")
})

const calendar = createRoute({
  getParentRoute: () => root,
  path: "/calendar",
  validateSearch: filters("date", "view", "event", "minutes"),
  component: page(() => import("../calendar/CalendarPage.tsx"), "CalendarPage")
})

const contacts = createRoute({
  getParentRoute: () => root,
  path: "/contacts",
  validateSearch: filters("search", "status", "stage", "tag", "phone_number"),
  component: page(() => import("../contacts/ContactsPage.tsx"), "ContactsPage")
})

const contact = createRoute({
  getParentRoute: () => root,
  path: "/contacts/$id",
  component: page(() => import("../contacts/ContactPage.tsx"), "ContactPage")
})

const doNotCall = createRoute({
  getParentRoute: () => root,
  path: "/contacts/do-not-call",
  validateSearch: filters("phone_number"),
  component: page(() => import("../contacts/DoNotCallPage.tsx"), "DoNotCallPage")
})

const variables = createRoute({
  getParentRoute: () => root,
  path: "/variables",
  validateSearch: filters("context_type"),
  component: page(() => import("../variables/VariablesPage.tsx"), "VariablesPage")
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: "/webhooks",
  component: page(() => import("../webhooks/WebhooksPage.tsx"), "WebhooksPage")
})

const webhook = createRoute({
  getParentRoute: () => root,
  path: "/webhooks/$id",
  validateSearch: filters("status"),
  component: page(() => import("../webhooks/WebhookPage.tsx"), "WebhookPage")
})

const delivery = createRoute({
  getParentRoute: () => root,
  path: "/webhooks/$id/deliveries/$deliveryId",
  component: page(() => import("../webhooks/DeliveryPage.tsx"), "DeliveryPage")
})

const agents = createRoute({
  getParentRoute: () => root,
  path: "/agents",
  validateSearch: filters("archived"),
  component: page(() => import("../agents/AgentsPage.tsx"), "AgentsPage")
})

const agent = createRoute({
  getParentRoute: () => root,
  path: "/agents/$id",
  component: page(() => import("../agents/AgentPage.tsx"), "AgentPage")
})

const tasks = createRoute({
  getParentRoute: () => root,
  path: "/tasks",
  validateSearch: filters("kind"),
  component: page(() => import("../tasks/TasksPage.tsx"), "TasksPage")
})

const keys = createRoute({
  getParentRoute: () => root,
  path: "/settings/keys",
  component: page(() => import("../settings/KeysPage.tsx"), "KeysPage")
})

const account = createRoute({
  getParentRoute: () => root,
  path: "/settings/account",
  component: page(() => import("../settings/AccountPage.tsx"), "AccountPage")
})

const calendars = createRoute({
  getParentRoute: () => root,
  path: "/settings/calendars",
  validateSearch: filters("connected", "error"),
  component: page(() => import("../settings/CalendarsPage.tsx"), "CalendarsPage")
})

const people = createRoute({
  getParentRoute: () => root,
  path: "/settings/people",
  component: page(() => import("../settings/PeoplePage.tsx"), "PeoplePage")
})

const audit = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  validateSearch: filters("actor_type", "operation", "entity_type", "entity_id", "start_date", "end_date", "cursor"),
  component: page(() => import("../audit/AuditPage.tsx"), "AuditPage")
})

const operator = createRoute({
  getParentRoute: () => root,
  path: "/operator",
  validateSearch: filters("search"),
  component: page(() => import("../operator/OperatorPage.tsx"), "OperatorPage")
})

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    calls,
    call,
    calendar,
    contacts,
    contact,
    doNotCall,
    variables,
    webhooks,
    webhook,
    delivery,
    agents,
    agent,
    tasks,
    keys,
    account,
    calendars,
    people,
    audit,
    operator
  ]),
  basepath: basePath === "" ? "/" : basePath,
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultErrorComponent: ({ error }) => (
    <Page title="Not available">
      <p role="alert">{textOf(error)}</p>
      <div>
        <Button onClick={() => location.reload()}>Load the page again</Button>
      </div>
    </Page>
  ),
  scrollRestoration: true
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
