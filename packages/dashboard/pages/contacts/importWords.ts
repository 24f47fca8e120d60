import type { ContactImport } from "@frontdesk/client"
import type { Tone } from "../ui/Badge.tsx"

type OnKnown = ContactImport["on_known"]

/** What an import can do with a line of a contact that the account has. */
export const knownWays: { readonly [Way in OnKnown]: string } = {
  skip: "Skip the line",
  update: "Change the contact",
  refuse: "Refuse the line and list it"
}

/** Returns the way that a form has. */
export const onKnownOf = (value: unknown): OnKnown => (value === "update" || value === "refuse" ? value : "skip")

/** How the states of an import are called. */
export const importStates: {
  readonly [Status in ContactImport["status"]]: { readonly text: string; readonly tone: Tone }
} = {
  uploading: { text: "Waits for the file", tone: "info" },
  running: { text: "Running", tone: "info" },
  finished: { text: "Finished", tone: "good" },
  failed: { text: "Failed", tone: "bad" },
  cancelled: { text: "Cancelled", tone: "plain" }
}

/** Returns whether an import has not ended. */
export const isUnfinished = ({ status }: Pick<ContactImport, "status">): boolean =>
  status === "uploading" || status === "running"
