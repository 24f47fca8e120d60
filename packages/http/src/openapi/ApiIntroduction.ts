/** What opens the description of the API, in Markdown: the rules that hold for every operation. */
export const introduction = `Voice agents, calls, contacts, variables, calendar and webhooks.

## Keys

Every request carries \`Authorization: Bearer <API key>\`. A key sees what belongs to its account and to the teams of that account, and does what its permissions allow.

## Bodies and times

Bodies are JSON; fields that are not known are ignored. A PUT replaces, a PATCH changes the fields it names. A time is accepted with \`Z\`, with an offset, or without either, then it is in the time zone of the account. It is returned in UTC, but for free time slots, which are in the time zone of the account or in the one asked for.

## Errors

\`\`\`json
{
  "error": "not_found",
  "message": "No call has this id"
}
\`\`\`

\`error\` is one of the codes that are listed with each status, for programs; \`message\` is for people; \`details\`, where present, says which fields are wrong. The \`X-Request-Id\` of an answer finds it in the server's log.

## Repeating a POST

With an \`Idempotency-Key\` a POST is executed at most once: within 24 hours the same request with the same key gets the stored answer, with \`Idempotent-Replayed: true\`.

## Limits

A list has \`page\`, from 1, and \`limit\`, 20 unless given and 100 at most. Where requests are limited, \`RateLimit\` and \`RateLimit-Policy\` say how many are left; above that the answer is 429 with \`Retry-After\`.`
