/**
 * Copies the pages of the documentation that each package needs into `dist/docs`, which is packed with it. Links to
 * pages and files that are not packed become plain text. Fails for a page that does not exist.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"

const root = join(import.meta.dirname, "../../..")

/** The pages of each package, below `docs`. */
const pages: { readonly [folder: string]: ReadonlyArray<string> } = {
  "agent-tools": ["agent-tools.md", "providers.md", "effect.md", "glossary.md"],
  "calendar-sync": ["providers.md", "adapters.md", "effect.md", "glossary.md"],
  "call-provider": ["providers.md", "adapters.md", "effect.md", "call-status.md", "glossary.md"],
  client: ["contract.md", "errors.md", "limits.md", "receiving-webhooks.md"],
  core: ["effect.md", "architecture.md", "contract.md", "decisions.md", "glossary.md"],
  email: ["providers.md", "glossary.md"],
  embed: [
    "embedding.md",
    "agent-tools.md",
    "running.md",
    "contract.md",
    "errors.md",
    "limits.md",
    "webhooks.md",
    "receiving-webhooks.md",
    "glossary.md"
  ],
  http: ["contract.md", "errors.md", "limits.md", "glossary.md"],
  server: [
    "running.md",
    "settings.md",
    "operations.md",
    "agent-tools.md",
    "providers.md",
    "encryption.md",
    "errors.md",
    "limits.md",
    "webhooks.md",
    "receiving-webhooks.md",
    "call-status.md",
    "delivery-status.md"
  ],
  "storage-memory": ["adapters.md", "effect.md", "glossary.md"],
  "storage-postgres": ["operations.md", "adapters.md", "effect.md", "glossary.md"],
  "storage-sql": ["adapters.md", "effect.md", "glossary.md"],
  "storage-sqlite": ["operations.md", "adapters.md", "effect.md", "glossary.md"],
  testing: ["testing.md", "adapters.md", "effect.md", "glossary.md"],
  "webhook-receiver": ["receiving-webhooks.md", "webhooks.md"],
  "webhook-sender": ["webhooks.md", "delivery-status.md", "glossary.md"]
}

/** A link of Markdown: its text, its target and the part behind `#`. */
const link = /\[([^\]]+)\]\(([^)#\s]*)(#[^)\s]*)?\)/g

/** Returns a page whose links lead to other packed pages, to other sites, or nowhere. */
const withPackedLinks = (text: string, packed: ReadonlyArray<string>): string =>
  text.replace(link, (whole: string, label: string, target: string, anchor: string = "") => {
    if (target === "" || /^[a-z]+:/.test(target)) return whole
    return packed.includes(basename(target)) && !target.includes("decisions/")
      ? `[${label}](${basename(target)}${anchor})`
      : label
  })

for (const [folder, names] of Object.entries(pages)) {
  const docs = join(root, "packages", folder, "dist/docs")
  rmSync(docs, { recursive: true, force: true })
  mkdirSync(docs, { recursive: true })
  for (const name of names) {
    writeFileSync(join(docs, name), withPackedLinks(readFileSync(join(root, "docs", name), "utf8"), names))
  }
}
