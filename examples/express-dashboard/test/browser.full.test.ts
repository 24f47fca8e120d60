import { violationsOf } from "@frontdesk/test-browser/accessibility"
import { chromiumPath, openBrowser } from "@frontdesk/test-browser/browser"
import { watch } from "@frontdesk/test-browser/watch"
import { describe, expect, it } from "vitest"
import { withExample } from "./Program.ts"

const reason = chromiumPath === undefined ? " (skipped: Chromium is not found. FRONTDESK_TEST_CHROMIUM names it)" : ""

describe.skipIf(chromiumPath === undefined)(`the example in a browser${reason}`, { timeout: 120_000 }, () => {
  it("shows a stranger how to sign in, and a user of the program the account without any button to change it", () =>
    withExample(async ({ url }) => {
      const browser = await openBrowser(chromiumPath ?? "")
      try {
        const page = await browser.context.newPage()
        const watched = await watch(page, url, (text) => text.includes("status of 401"))
        await page.goto(`${url}/voice/desk`)
        await page.getByRole("heading", { name: "Not signed in" }).waitFor()
        expect(await violationsOf(page)).toEqual([])
        await page.getByRole("link", { name: "Sign in" }).click()

        await page.getByLabel("Name").fill("jo")
        await page.getByLabel("Password").fill("correct horse")
        await page.getByRole("button", { name: "Sign in" }).click()
        await page.getByRole("link", { name: "Calls and appointments" }).click()
        await page.getByRole("heading", { name: "Overview" }).waitFor()

        await page.goto(`${url}/voice/desk/contacts`)
        await page.getByRole("table").getByText("Alma").waitFor()
        expect(await page.getByText("Gus").count()).toBe(0)
        expect(await page.getByRole("button", { name: "Create a contact" }).count()).toBe(0)
        expect(await violationsOf(page)).toEqual([])
        expect(watched).toEqual({ errors: [], otherRequests: [] })
      } finally {
        await browser.close()
      }
    }))
})
