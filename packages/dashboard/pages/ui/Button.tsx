import type { ComponentProps } from "react"

/** How much a button stands out. `danger` is for what cannot be undone. */
export type ButtonKind = "primary" | "plain" | "quiet" | "danger"

const looks: { readonly [Kind in ButtonKind]: string } = {
  primary: "bg-accent-ground border-transparent text-white hover:opacity-90",
  plain: "bg-card border-line text-ink hover:bg-raised",
  quiet: "border-transparent text-ink hover:bg-raised",
  danger: "bg-card border-bad text-bad hover:bg-bad-ground"
}

/** The classes of a button, for a link that looks like one. */
export const buttonLook = (kind: ButtonKind = "plain"): string =>
  `inline-flex min-h-9 items-center justify-center gap-2 rounded-md border px-3 py-1.5 text-sm font-medium whitespace-nowrap transition-colors disabled:opacity-50 ${looks[kind]}`

export const Button = ({
  className = "",
  kind = "plain",
  type = "button",
  ...rest
}: ComponentProps<"button"> & { readonly kind?: ButtonKind }) => (
  <button type={type} className={`${buttonLook(kind)} ${className}`} data-autofocus={rest.autoFocus} {...rest} />
)
