import { Link, type LinkProps } from "@tanstack/react-router"
import { type Permission, useSession } from "../app/Session.tsx"
import { Card } from "../ui/Page.tsx"

interface Step {
  readonly to: NonNullable<LinkProps["to"]>
  readonly name: string
  readonly why: string
  readonly needs: Permission
}

const steps: ReadonlyArray<Step> = [
  {
    to: "/agents",
    name: "Create an agent",
    why: "An agent makes and answers calls.",
    needs: "can_write_agents"
  },
  {
    to: "/contacts",
    name: "Add contacts",
    why: "One by one, or from a CSV file.",
    needs: "can_write_contacts"
  },
  {
    to: "/settings/account",
    name: "Set the working hours",
    why: "Agents offer appointments within them.",
    needs: "can_manage_account"
  },
  {
    to: "/settings/calendars",
    name: "Connect a calendar",
    why: "What is busy there is not offered, and appointments are copied to it.",
    needs: "can_manage_account"
  },
  {
    to: "/webhooks",
    name: "Create a webhook",
    why: "Your server is told of calls and appointments.",
    needs: "can_write_webhooks"
  },
  {
    to: "/settings/keys",
    name: "Create an API key",
    why: "Your programs use the API with it.",
    needs: "can_manage_keys"
  }
]

/** What a person may do first in an account that has done nothing yet. */
export const FirstSteps = () => {
  const { can } = useSession()
  const mine = steps.filter(({ needs }) => can(needs))
  if (mine.length === 0) return null
  return (
    <Card title="First steps">
      <ul className="grid gap-x-6 gap-y-4 p-4 sm:grid-cols-2 xl:grid-cols-3">
        {mine.map(({ name, to, why }) => (
          <li key={to} className="grid content-start gap-0.5">
            <Link to={to} className="text-accent w-max underline">
              {name}
            </Link>
            <span className="text-muted text-sm">{why}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
