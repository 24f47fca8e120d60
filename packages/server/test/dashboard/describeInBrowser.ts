import { chromiumPath, type Page } from "@frontdesk/test-browser/browser"
import { afterAll, beforeAll, describe } from "vitest"
import { type Dashboard, type Element, openSignedIn } from "./openDashboard.ts"

const skipReason =
  chromiumPath === undefined ? " (skipped: Chromium is not found. FRONTDESK_TEST_CHROMIUM names it)" : ""

/** How long a test may take, in milliseconds. Some open every page, and other tests use the processors too. */
const timeout = 120_000

/** Describes tests that need Chromium. They are skipped if it is not found, and their title says why. */
export const describeInBrowser = (title: string, tests: () => void): void => {
  describe.skipIf(chromiumPath === undefined)(`${title}${skipReason}`, { timeout }, () => {
    tests()
  })
}

/**
 * Returns an object that stands for one that a hook makes later, so that the functions of a block can name it. Each use of it fails as
 * long as `find` fails.
 */
const standIn = <A extends object>(find: () => A): A => {
  const get = (_: object, name: string | symbol): unknown => {
    const found = find()
    const value: unknown = Reflect.get(found, name)
    return typeof value === "function" ? value.bind(found) : value
  }
  /* oxlint-disable-next-line typescript/no-unsafe-type-assertion
     -- Every property is read from the object that it stands for. */
  return new Proxy({}, { get }) as A
}

/** The dashboard of the tests of a block, and short names of its parts. */
export interface TestedDashboard {
  readonly dashboard: Dashboard
  readonly page: Page
  readonly api: Dashboard["api"]
  /** Finds the open dialog. */
  readonly dialog: () => Element
  /** Finds a button by its whole name. */
  readonly button: (name: string | RegExp) => Element
}

/**
 * Opens a dashboard before the tests of a block, and closes it after them. What it returns works in tests and in hooks that are
 * registered later. What the dashboard needs is opened and closed by hooks that are registered earlier.
 */
export const dashboardForTests = (open: () => Promise<Dashboard> = openSignedIn): TestedDashboard => {
  let opened: Dashboard | undefined
  const find = () => {
    if (opened === undefined)
      throw new Error("The dashboard is not open yet. It is opened before the tests of its block")
    return opened
  }
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.close())
  const page = standIn(() => find().page)
  return {
    dashboard: standIn(find),
    page,
    api: standIn(() => find().api),
    dialog: () => page.getByRole("dialog"),
    button: (name) => page.getByRole("button", { name, exact: true })
  }
}
