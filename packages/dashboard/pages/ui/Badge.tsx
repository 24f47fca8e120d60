import type { ReactNode } from "react"

/** What a badge says of a state. */
export type Tone = "good" | "warn" | "bad" | "info" | "plain"

const looks: { readonly [T in Tone]: string } = {
  good: "bg-good-ground text-good",
  warn: "bg-warn-ground text-warn",
  bad: "bg-bad-ground text-bad",
  info: "bg-info-ground text-info",
  plain: "bg-raised text-muted"
}

/** A short state. The text says it, and the colour only repeats it. */
export const Badge = ({ children, tone = "plain" }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={`inline-block rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${looks[tone]}`}>
    {children}
  </span>
)
