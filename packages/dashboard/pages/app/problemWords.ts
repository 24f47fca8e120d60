/** How the pages say what the API says about fields: with the labels of their forms, and without the forms of its texts. */

/** A problem of a field, as the API names it. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** The labels of fields whose names are other words, or are short for them. */
const labels: Readonly<Record<string, string>> = {
  ai_agent_id: "Agent",
  agent_id: "Agent",
  columns: "Columns",
  contact_id: "Contact",
  custom_context: "Own values",
  customer_email: "E-mail address",
  customer_name: "Name of the customer",
  customer_notes: "Notes",
  customer_phone: "Phone number",
  display_name: "Name for people",
  email: "E-mail address",
  end_date: "To",
  end_time: "End",
  event_type: "Type",
  industry_context: "Industry values",
  on_known: "Lines of known contacts",
  phone_numbers: "Phone numbers",
  phone_type: "Kind",
  remind_before_minutes: "Minutes before the start",
  search: "Search",
  select_options: "Options",
  start_date: "From",
  start_time: "Start",
  state: "State or province",
  team_id: "Team",
  url: "Address",
  variable_type: "Type",
  video_conference_provider: "Video service",
  video_conference_url: "Video link",
  zip_code: "Postal code"
}

/** The fields that have values by names that the account gives. */
const ofNames = /^(?:custom_context|industry_context|variables)\.(.+)$/

/**
 * Returns the label of a field of the API. A field of a list, such as `tags[2]`, has the label of the list and its place, and a value
 * that the account has named has its name.
 */
export const labelOf = (field: string): string => {
  const [, named] = ofNames.exec(field) ?? []
  if (named !== undefined) return named
  const [, name = field, index] = /([^.[\]]+)(?:\[(\d+)\])?$/.exec(field) ?? []
  const text = name.replaceAll("_", " ")
  const label = Object.hasOwn(labels, name) ? labels[name] : text.charAt(0).toUpperCase() + text.slice(1)
  return index === undefined ? `${label}` : `${label} ${Number(index) + 1}`
}

/** What the pages say in place of messages of the API. The first rule that fits counts. */
const rules: ReadonlyArray<readonly [message: RegExp, text: string]> = [
  [/E\.164/, "Write the number with its country code, as in +12025550123."],
  [/IANA time zone/, "Write the name of a time zone, such as Europe/Berlin."],
  [/BCP 47/, "Write the sign of a language, such as en or pt-BR."],
  [/^Expected (?:an existing date|existing dates)/, "Choose a date that exists, such as 2026-03-09."],
  [/^Expected (?:a time as )?YYYY-MM-DDTHH/, "Choose a date and a time."],
  [/^end_date is before start_date/, "It must not be before “From”."],
  [/^end_time must be after start_time/, "The end must be after the start."],
  [/^duration must be/, "Choose a length from 1 to 180 minutes."],
  [/^This field is required/, "Fill it in."],
  [/^Expected text without U\+0000/, "It has a character that cannot be stored. Write it again."],
  [/^Expected a string$/, "Write a text."],
  [/^Expected (.+?)\.?$/, "This must be $1."]
]

/** Returns a message of the API about a field as a sentence for a person. */
export const sentenceOf = (message: string): string => {
  for (const [pattern, text] of rules) {
    const [found] = pattern.exec(message) ?? []
    if (found !== undefined) return found.replace(pattern, text)
  }
  return /[.!?]$/.test(message) ? message : `${message}.`
}

/** Returns what is wrong with a field, after its label. */
export const problemText = ({ field, message }: FieldProblem): string =>
  field === "" ? sentenceOf(message) : `${labelOf(field)}: ${sentenceOf(message)}`
