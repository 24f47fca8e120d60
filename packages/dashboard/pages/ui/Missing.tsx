import { Link, type LinkProps, useMatches } from "@tanstack/react-router"
import { Empty } from "./Empty.tsx"
import { Card } from "./Page.tsx"

/** The list that a page of one record belongs to. */
interface List {
  readonly record: string
  readonly to: NonNullable<LinkProps["to"]>
  readonly all: string
}

const webhooks = { to: "/webhooks", all: "All webhooks" } as const

/** The lists, by the paths of the pages of their records. */
const lists: Readonly<Partial<Record<string, List>>> = {
  "/calls/$id": { record: "call", to: "/calls", all: "All calls" },
  "/contacts/$id": { record: "contact", to: "/contacts", all: "All contacts" },
  "/agents/$id": { record: "agent", to: "/agents", all: "All agents" },
  "/webhooks/$id": { record: "webhook", ...webhooks },
  "/webhooks/$id/deliveries/$deliveryId": { record: "delivery", ...webhooks }
}

/** Returns the list that the page of a record belongs to, or undefined for any other page. */
export const useListOfRecord = (): List | undefined => {
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? "" })
  return lists[path]
}

/** Says that the record of a page does not exist, and leads to the list that has the others. */
export const Missing = ({ list }: { readonly list: List }) => (
  <div role="alert">
    <Card>
      <Empty title={`No such ${list.record}`}>
        <p>It was deleted, its address is wrong, or your account cannot see it.</p>
        <p className="mt-3">
          <Link to={list.to} className="text-accent underline">
            {list.all}
          </Link>
        </p>
      </Empty>
    </Card>
  </div>
)
