import { member } from "./ResponseCheck.ts"

/** The values of a request. */
export interface Values {
  readonly parameters: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A problem in an answer 400. */
interface Problem {
  /** The code of the answer. */
  readonly error: string
  readonly field: string
  readonly code: string
  readonly message: string
  /** The value of the field in the request. */
  readonly value: unknown
}

/** A rule of the API that the OpenAPI document does not state, because no JSON schema can express it. */
interface UnstatedRule {
  readonly rule: string
  readonly explains: (problem: Problem, values: Values) => boolean
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

const isIn = (options: ReadonlyArray<string>, text: string): boolean => options.includes(text)

const dateFields = ["start_date", "end_date"]

const rules: ReadonlyArray<UnstatedRule> = [
  {
    rule: "The length of a text counts UTF-16 code units, and that of a JSON schema counts characters",
    explains: ({ message, value }) => /length/.test(message) && Array.from(textOf(value)).length < textOf(value).length
  },
  {
    rule: "A text has no halves of surrogate pairs, which no portable pattern can name",
    explains: ({ value }) => typeof value === "string" && !value.isWellFormed()
  },
  {
    rule: "The date of a time exists, and the instant is in the years 0000 to 9999",
    explains: ({ error, field, value }) =>
      (error === "invalid_datetime_format" || isIn(["expires_at", "since", "until"], field)) &&
      (!isDate(textOf(value).slice(0, 10)) || /^(0000-01-01|9999-12-31)/.test(textOf(value)))
  },
  {
    rule: "The end is after the start, and the time between them is limited",
    explains: ({ error, field }, { parameters }) =>
      error === "invalid_time_range" || (isIn(dateFields, field) && dateFields.some((name) => name in parameters))
  },
  {
    rule: "The end of a redelivery is not before its start",
    explains: ({ field, message }) => field === "until" && message === "Expected a time after since"
  },
  {
    rule: "The id of an actor or of a record in the audit log comes with its type",
    explains: ({ field }, { parameters }) =>
      isIn(["actor_type", "entity_type"], field) && field.replace("_type", "_id") in parameters
  },
  {
    rule: "The runtime knows the time zone",
    explains: ({ field }) => field === "time_zone"
  },
  {
    rule: "A select has options that are different and not blank, and no other type has any",
    explains: ({ field }) => field.startsWith("select_options")
  },
  {
    rule: "The name of a variable is unique in its context, and a contact variable does not begin with business_",
    explains: ({ code, error, field }) => error === "duplicate_variable" || (field === "name" && code === "reserved")
  },
  {
    rule: "A value fits the definition of its variable, which exists or has a valid name",
    explains: ({ error, field, value }) =>
      field.startsWith(ofVariable) &&
      (isIn(["undefined_variable", "invalid_value"], error) ||
        !/^[a-z0-9_]{1,64}$/.test(field.slice(ofVariable.length))) &&
      isIn(["string", "number", "boolean"], typeof value)
  },
  {
    rule: "Each column is mapped once, and most fields have one column",
    explains: ({ field }) => field === "columns"
  },
  {
    rule: "A value of custom_context fits the definition of its contact variable",
    explains: ({ code, field }) => field.startsWith("custom_context.") && code === "invalid_value"
  },
  {
    rule: "The numbers of a contact are different and at most 100 after a PATCH, and an id is that of one of them",
    explains: ({ code, field }) =>
      (field === "phone_numbers" && code === "too_many") ||
      (/^phone_numbers\[\d+\]\.(id|phone_number)$/.test(field) && isIn(["unknown", "duplicate"], code))
  },
  {
    rule: "A webhook's URL can be parsed, and has a public address and an allowed port",
    explains: ({ error, message, value }) =>
      error === "invalid_url" &&
      (/private address|port below/.test(message) ||
        !URL.canParse(textOf(value)) ||
        /^\.|\.\./.test(hostOf(textOf(value))))
  },
  {
    rule: "A JSON value has limited bytes and levels",
    explains: ({ code, message }) => code === "too_large" || /levels of objects and arrays/.test(message)
  },
  {
    rule: "An API key expires in the future",
    explains: ({ field, message }) => field === "expires_at" && /in the future/.test(message)
  },
  {
    rule: "A sign-in link is for a member, or has a role and the name and id of a user",
    explains: ({ field, message }) =>
      isIn(["member_id", "role", "name", "user_id"], field) &&
      /^(Expected either member_id or role|A link for a member has no such field)$/.test(message)
  },
  {
    rule: "A window of wall times starts before it ends, and the dates of date overrides exist",
    explains: ({ field, message }) =>
      /^(working_hours|date_overrides)\b/.test(field) && /starts before it ends|existing dates/.test(message)
  },
  {
    rule: "The runtime knows the language",
    explains: ({ field }) => field === "language"
  },
  {
    rule: "The status and the stage of a contact are among those of its account, if it has limited them",
    explains: ({ error, field }) => error === "validation_error" && isIn(["status", "stage"], field)
  },
  {
    rule: "An agent that calls has a phone number",
    explains: ({ error }) => error === "agent_phone_number_missing"
  },
  {
    rule: "No other agent has the assistant id, and no agent of another account the phone number",
    explains: ({ code, field, message }) =>
      code === "invalid_value" && isIn(["assistant_id", "phone_number"], field) && /^An(?:other)? agent /.test(message)
  }
]

const isDate = (text: string): boolean => {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const hostOf = (url: string): string => new URL(url).hostname

/** The field of a variable. Its name may have any characters. */
const ofVariable = "variables."

/** Returns the value of a field such as `phone_numbers[1].id`. */
const valueAt = (field: string, { body, parameters }: Values): unknown => {
  if (field in parameters) return parameters[field]
  if (field.startsWith(ofVariable)) return member(member(body, "variables"), field.slice(ofVariable.length))
  return field
    .split(/\.|\[|\]\.?/)
    .filter((key) => key !== "")
    .reduce<unknown>((value, key) => (Array.isArray(value) ? value[Number(key)] : member(value, key)), body)
}

/** Returns the problems in an answer 400 that no unstated rule explains. */
export const unexplained = (answer: unknown, values: Values): ReadonlyArray<string> => {
  const details = member(answer, "details")
  const problems = (Array.isArray(details) ? details : [answer]).map((problem: unknown): Problem => {
    const field = textOf(member(problem, "field"))
    return {
      error: textOf(member(answer, "error")),
      field,
      code: textOf(member(problem, "code")),
      message: textOf(member(problem, "message")),
      value: valueAt(field, values)
    }
  })
  return problems
    .filter((problem) => !rules.some(({ explains }) => explains(problem, values)))
    .map(({ code, error, field, message }) => `${error} ${field.replaceAll(/\[\d+\]/g, "[]")} ${code}: ${message}`)
}
