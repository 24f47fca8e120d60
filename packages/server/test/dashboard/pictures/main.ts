/** Takes the pictures of the dashboard that the documents show, from the pages of a new demo account. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromiumPath, openBrowser } from "@frontdesk/test-browser/browser"
import { signInBy } from "@frontdesk/test-browser/showPage"
import { serve } from "../../support/launch.ts"
import { folder, pictures, size } from "./pictures.ts"

if (chromiumPath === undefined) throw new Error("Chromium is not found. FRONTDESK_TEST_CHROMIUM names it")

const data = mkdtempSync(join(tmpdir(), "frontdesk-pictures-"))
const server = await serve(data, { args: ["--demo"] })
const browser = await openBrowser(chromiumPath)
try {
  const [, link = ""] = await server.wrote("stdout", /(http\S+dashboard\/sign-in\/\S+)/)
  const page = await browser.context.newPage()
  await page.setViewportSize(size)
  await signInBy(page, link)
  mkdirSync(folder, { recursive: true })
  for (const { colorScheme, file, show } of pictures) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    await show(page, `${server.url}/dashboard`)
    await page.screenshot({ path: join(folder, file) })
    console.log(file)
  }
} finally {
  await browser.close()
  await server.stop()
  rmSync(data, { recursive: true, force: true })
}
