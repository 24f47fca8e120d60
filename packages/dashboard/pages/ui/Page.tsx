import { type ReactNode, useEffect } from "react"

/** A page: its title, what can be done on it, and its parts. */
export const Page = ({
  actions,
  children,
  hint,
  title
}: {
  readonly title: string
  readonly hint?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => {
  useEffect(() => {
    document.title = `${title} · Frontdesk`
  }, [title])
  return (
    <div className="grid gap-5">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-0 gap-1">
          <h1 className="text-xl font-semibold tracking-tight text-balance wrap-anywhere">{title}</h1>
          {hint !== undefined && <p className="text-muted max-w-prose text-sm">{hint}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** A part of a page. */
export const Card = ({
  actions,
  children,
  title
}: {
  readonly title?: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => (
  <section className="border-line bg-card min-w-0 rounded-xl border">
    {title !== undefined && (
      <header className="border-line flex flex-wrap items-center justify-between gap-2 border-b px-4 py-3">
        <h2 className="font-semibold">{title}</h2>
        {actions}
      </header>
    )}
    {children}
  </section>
)

/** The fields of a record as names and values. */
export const Facts = ({ facts }: { readonly facts: ReadonlyArray<readonly [name: string, value: ReactNode]> }) => (
  <dl className="grid gap-x-6 gap-y-3 p-4 sm:grid-cols-[max-content_minmax(0,1fr)]">
    {facts.map(([name, value]) => (
      <div key={name} className="grid gap-0.5 sm:contents">
        <dt className="text-muted text-sm">{name}</dt>
        <dd className="min-w-0 text-sm wrap-anywhere">{value}</dd>
      </div>
    ))}
  </dl>
)
