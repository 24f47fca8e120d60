import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { type BrowserContext, chromium } from "playwright-core"

const usualPlaces = [
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
 * The Chromium on this machine, undefined where there is none. `FRONTDESK_TEST_CHROMIUM` names another one, which then
 * has to be there: a wrong path fails the test instead of skipping it.
 */
export const chromiumPath: string | undefined =
  named === undefined || named === "" ? usualPlaces.find((path) => existsSync(path)) : named

/** An empty profile in a headless browser that asks for nothing on its own. */
export const openBrowser = async (
  executablePath: string
): Promise<{ readonly context: BrowserContext; readonly close: () => Promise<void> }> => {
  const profile = mkdtempSync(join(tmpdir(), "frontdesk-browser-"))
  const forget = () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  try {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath,
      headless: true,
      viewport: { width: 1400, height: 1000 },
      args: [
        // A container runs as root, where Chromium has no sandbox; the page is our own.
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
      close: async () => {
        await context.close()
        forget()
      }
    }
  } catch (error) {
    forget()
    throw error
  }
}
