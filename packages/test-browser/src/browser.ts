import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { type BrowserContext, chromium } from "playwright-core"

const usualPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe"
]

const named = process.env["FRONTDESK_TEST_CHROMIUM"]

/**
 * The path of Chromium, or undefined when none is found. `FRONTDESK_TEST_CHROMIUM` names another path. It must exist:
 * a wrong path makes the test fail and does not skip it.
 */
export const chromiumPath: string | undefined =
  named === undefined || named === "" ? usualPaths.find((path) => existsSync(path)) : named

/** A browser without a window. */
export interface OpenBrowser {
  /** The pages of one person. */
  readonly context: BrowserContext
  /** Opens the pages of another person, with cookies of their own. */
  readonly newContext: () => Promise<BrowserContext>
  readonly close: () => Promise<void>
}

/** Where the person at the browser is. Default: where the machine is. */
export interface Place {
  /** The IANA time zone of the browser. */
  readonly timezoneId?: string
  /** The language of the browser, such as `en-US`. */
  readonly locale?: string
}

/** Opens a headless browser with an empty profile. It makes no requests of its own. */
export const openBrowser = async (executablePath: string, place: Place = {}): Promise<OpenBrowser> => {
  const profile = mkdtempSync(join(tmpdir(), "frontdesk-browser-"))
  const removeProfile = () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  try {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath,
      headless: true,
      viewport: { width: 1400, height: 1000 },
      ...place,
      args: [
        // As root, for example in a container, Chromium cannot use its sandbox. The tests open only pages of this
        // project.
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync"
      ]
    })
    return {
      context,
      newContext: () => {
        const browser = context.browser()
        if (browser === null) throw new Error("The browser is closed")
        return browser.newContext()
      },
      close: async () => {
        await context.close()
        removeProfile()
      }
    }
  } catch (error) {
    removeProfile()
    throw error
  }
}

export type { Locator, Page, Request } from "playwright-core"
