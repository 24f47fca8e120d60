import type { Agent } from "@frontdesk/client"
import { useState } from "react"
import { Checkbox } from "../ui/Field.tsx"
import { tools } from "./agentTools.ts"

type Allowed = Agent["allowed_tools"]

const names = { every: "every_tool", tool: "tool" }

/** Returns the tools that the fields of a form allow. Null allows every tool. */
export const toolsIn = (form: FormData): Allowed =>
  form.has(names.every) ? null : tools.map(([tool]) => tool).filter((tool) => form.getAll(names.tool).includes(tool))

/** Returns whether two choices allow the same tools. */
export const isSameChoice = (one: Allowed, other: Allowed): boolean =>
  one === null || other === null
    ? one === other
    : one.length === other.length && one.every((tool) => other.includes(tool))

/** The choice of the tools that an agent may use. */
export const ToolsField = ({ allowed }: { readonly allowed: Allowed }) => {
  const [isEvery, setEvery] = useState(allowed === null)
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-medium">Tools during a call</legend>
      <Checkbox
        label="Every tool, also those of later versions"
        name={names.every}
        checked={isEvery}
        onChange={({ target }) => setEvery(target.checked)}
      />
      {/* The choice stays while it is hidden. */}
      <div className={isEvery ? "hidden" : "border-line grid gap-1 border-l-2 pl-3 sm:grid-cols-2"}>
        {tools.map(([tool, title]) => (
          <Checkbox
            key={tool}
            label={title}
            name={names.tool}
            value={tool}
            defaultChecked={allowed === null || allowed.includes(tool)}
          />
        ))}
      </div>
    </fieldset>
  )
}
