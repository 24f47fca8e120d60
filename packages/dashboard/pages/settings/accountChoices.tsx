import { Checkbox, TextField } from "../ui/Field.tsx"

/** The values that a field of contacts may have: any text, or those of a list. */
export const ClosedList = ({
  label,
  lines,
  onChange,
  problem,
  what
}: {
  /** What the field is, such as "Contact statuses". */
  readonly label: string
  /** The same within a sentence, such as "status". */
  readonly what: string
  readonly lines: string | null
  readonly problem: string | undefined
  readonly onChange: (lines: string | null) => void
}) => (
  <fieldset className="grid content-start gap-2">
    <legend className="mb-1 text-sm font-medium">{label}</legend>
    <Checkbox
      label={`Allow only some values. Otherwise a ${what} is any text.`}
      checked={lines !== null}
      onChange={({ target }) => onChange(target.checked ? "" : null)}
    />
    {lines !== null && (
      <TextField
        label={`Allowed values of ${what}`}
        hint="One on each line."
        value={lines}
        problem={problem}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </fieldset>
)

const listed = typeof Intl.supportedValuesOf === "function" ? Intl.supportedValuesOf("timeZone") : []

/** The time zones that the browser knows. Some browsers leave out UTC. */
export const timeZones: ReadonlyArray<string> = listed.includes("UTC") ? listed : ["UTC", ...listed]

/** Languages to choose from. Another tag can be typed. */
export const languages: ReadonlyArray<string> = [
  "en",
  "en-GB",
  "en-US",
  "da",
  "de",
  "es",
  "es-MX",
  "fi",
  "fr",
  "fr-CA",
  "it",
  "ja",
  "ko",
  "nl",
  "no",
  "pl",
  "pt",
  "pt-BR",
  "sv",
  "tr",
  "uk",
  "zh"
]

/** Returns the name of a language, or null for a text that is no tag of one. */
export const languageName = (tag: string): string | null => {
  try {
    return new Intl.DisplayNames(undefined, { type: "language" }).of(tag.trim()) ?? null
  } catch {
    return null
  }
}

/** Returns the time of day in a zone, or null for a text that is no zone. */
export const timeIn = (zone: string): string | null => {
  try {
    return new Intl.DateTimeFormat(undefined, {
      timeZone: zone.trim(),
      weekday: "long",
      hour: "numeric",
      minute: "2-digit"
    }).format(new Date())
  } catch {
    return null
  }
}
