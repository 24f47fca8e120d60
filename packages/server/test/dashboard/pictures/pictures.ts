import { join } from "node:path"
import type { Page } from "@frontdesk/test-browser/browser"
import { showPage } from "@frontdesk/test-browser/showPage"

/** Where the pictures of the dashboard are that the documents show. */
export const folder = join(import.meta.dirname, "../../../../../docs/pictures")

/** The size of every picture in pixels. */
export const size = { width: 1280, height: 800 }

/** A picture of a page of the demo account. */
export interface Picture {
  /** The name of its file in {@link folder}. */
  readonly file: string
  readonly colorScheme: "light" | "dark"
  /** Shows the page at the URL of the dashboard. */
  readonly show: (page: Page, url: string) => Promise<void>
}

const at =
  (path: string): Picture["show"] =>
  (page, url) =>
    showPage(page, `${url}${path}`)

export const pictures: ReadonlyArray<Picture> = [
  { file: "overview.png", colorScheme: "light", show: at("/") },
  {
    file: "call.png",
    colorScheme: "light",
    show: async (page, url) => {
      await showPage(page, `${url}/calls?status=completed`)
      await page.getByRole("row").nth(1).getByRole("link").first().click()
      await page.getByRole("heading", { name: "Transcript" }).waitFor()
    }
  },
  { file: "calendar.png", colorScheme: "light", show: at("/calendar") },
  { file: "contacts.png", colorScheme: "light", show: at("/contacts") },
  {
    file: "webhook.png",
    colorScheme: "light",
    show: async (page, url) => {
      await showPage(page, `${url}/webhooks`)
      await page.getByRole("link", { name: "Example receiver" }).click()
      await page.getByRole("table").getByText("call.ended").first().waitFor()
    }
  },
  { file: "keys.png", colorScheme: "dark", show: at("/settings/keys") }
]
