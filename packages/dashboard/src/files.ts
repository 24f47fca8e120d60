import { readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { DashboardFiles } from "@frontdesk/http/dashboard/DashboardFiles"
import { paths } from "./paths.ts"

// By the name of the package, because a program may have this module in a bundle of its own.
const folder = fileURLToPath(new URL("dist/pages", import.meta.resolve("@frontdesk/dashboard/package.json")))

const contentTypes: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8"
}

const contentTypeOf = (name: string): string => {
  const found = contentTypes[extname(name)]
  if (found === undefined) throw new Error(`The dashboard has no content type for ${name}`)
  return found
}

/**
 * Returns the pages of the dashboard, for the option `dashboard.files` of `@frontdesk/http`. It reads them from the disk. In a
 * checkout it throws before they were built: `pnpm pages` builds them, and `pnpm start` does when they are stale.
 */
export const files = (): DashboardFiles => ({
  html: readFileSync(join(folder, "index.html"), "utf8"),
  assets: readdirSync(join(folder, "assets")).map((name) => ({
    path: `/assets/${name}`,
    contentType: contentTypeOf(name),
    text: readFileSync(join(folder, "assets", name), "utf8")
  })),
  paths
})
