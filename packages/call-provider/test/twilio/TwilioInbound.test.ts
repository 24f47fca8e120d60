import type { InboundDecision } from "@frontdesk/core/call/CallProvider"
import { parseTwiml, type Verb } from "@frontdesk/provider-fakes/twilio/Twiml"
import { codePoint } from "@frontdesk/testing/arbitrary/text"
import * as fc from "fast-check"
import twilio from "twilio"
import { describe, expect, it } from "vitest"
import { ingest } from "../../src/twilio/TwilioCallback.ts"
import type { Options } from "../../src/twilio/TwilioOptions.ts"
import { variablesOf } from "../../src/twilio/TwilioVariables.ts"
import { anyText, twilioOptions } from "../providerSetup.ts"

const token = "12345"
const sid = `CA${"1".repeat(32)}`
const [from, to] = ["+12025550111", "+12025550100"]
const inboundUrl = "https://api.example.com/frontdesk/providers/twilio/inbound"

const options = twilioOptions("http://127.0.0.1:9", new URL("https://api.example.com/frontdesk/"))

const stream = new URL("wss://agent.example/audio")

/** Returns what is read from Twilio's request, which its official package signs. */
const asked = (more: Readonly<Record<string, string>> = {}, given: Options = options, url = inboundUrl) => {
  const form = { CallSid: sid, CallStatus: "ringing", Direction: "inbound", From: from, To: to, ...more }
  const headers = {
    "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
    "x-twilio-signature": twilio.getExpectedTwilioSignature(token, url, form)
  }
  const body = new TextEncoder().encode(new URLSearchParams(form).toString())
  return ingest(given, { method: "POST", url, headers, body })
}

const numbersOf = (more: Readonly<Record<string, string>>) => {
  const read = asked(more)
  return read._tag === "Asked" && read.question._tag === "InboundCall" ? read.question.numbers : read
}

const answerTo = (decision: InboundDecision, given: Partial<Options> = {}) => {
  const read = asked({}, { ...options, ...given })
  if (read._tag !== "Asked" || read.question._tag !== "InboundCall") throw new Error("Twilio did not ask about a call")
  return read.question.bodyOf(decision)
}

/** Returns the verbs of the answer to Twilio. */
const verbsOf = (decision: InboundDecision, given: Partial<Options> = {}) => parseTwiml(answerTo(decision, given).text)

const accepted = (more: Partial<Extract<InboundDecision, { readonly _tag: "Accepted" }>> = {}) =>
  ({
    _tag: "Accepted",
    ref: "call_1",
    assistantId: "asst_ada",
    variables: { name: "Zoë", seats: 5, isNew: true },
    maxDurationSeconds: 600,
    ...more
  }) as const

const refused = (say: string) => ({ _tag: "Refused", say }) as const

/** Returns the parameters of the stream in an answer. */
const parametersOf = (verbs: ReadonlyArray<Verb>) =>
  (verbs[0]?.children[0]?.children ?? []).map(({ attributes }) => [attributes["name"], attributes["value"]])

/** Returns the URL of the redirect in an answer. */
const redirectOf = (verbs: ReadonlyArray<Verb>) => new URL(verbs[0]?.name === "Redirect" ? verbs[0].text : "")

describe("the question of Twilio about an inbound call", () => {
  it("has the SID of the call and both numbers", () => {
    expect(asked()).toMatchObject({
      _tag: "Asked",
      question: { _tag: "InboundCall", providerCallId: sid, numbers: { from, to } }
    })
  })

  it.each(["", "?", "?tenant=1", "/"])("is asked at the URL with %j at its end", (end) => {
    expect(asked({}, options, inboundUrl + end)._tag).toBe("Asked")
  })

  it.each(["/x", "s", "?a=/providers/twilio/inbound"])("is not asked at a URL that continues with %j", (end) => {
    const url = end.startsWith("?") ? inboundUrl.replace("inbound", "callbacks") : inboundUrl
    expect(asked({}, options, url + end)._tag).toBe("Reported")
  })

  it("is not read without a valid signature", () => {
    const body = new TextEncoder().encode(new URLSearchParams({ CallSid: sid, From: from, To: to }).toString())
    const headers = { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": "x" }
    expect(ingest(options, { method: "POST", url: inboundUrl, headers, body })).toEqual({ _tag: "BadSignature" })
  })

  it.each([
    "",
    "anonymous",
    "Anonymous",
    "RESTRICTED",
    "unavailable",
    "+266696687",
    "+7378742833",
    "+2562533",
    "+8656696",
    "+8566696687",
    "+86282452253",
    "+464",
    "266696687",
    "sip:ada@example.com",
    "client:ada",
    "+1202555011a",
    "+12025550111\n"
  ])("has no number of the person when From is %j", (From) => {
    expect(numbersOf({ From })).toEqual({ from: null, to })
  })

  it.each(["", "anonymous", "12025550100", "sip:desk@example.com", "+1 202 555 0100"])(
    "cannot be read when To is %j, with a reason that does not quote it",
    (To) => {
      expect(asked({ To })).toEqual({ _tag: "Malformed", reason: "To is not a phone number in E.164 form" })
    }
  )

  it("cannot be read about an outbound call, or without a SID", () => {
    expect(asked({ Direction: "" })).toMatchObject({ _tag: "Malformed" })
    expect(asked({ Direction: "outbound-api" })).toEqual({ _tag: "Malformed", reason: "the call is not inbound" })
    expect(asked({ CallSid: "CA1" })).toEqual({ _tag: "Malformed", reason: "no CallSid" })
  })
})

describe("the answer to Twilio's question about an inbound call", () => {
  it("redirects an accepted call to the voice URL with the query of an outbound call", () => {
    expect(answerTo(accepted()).contentType).toBe("text/xml; charset=utf-8")
    const url = redirectOf(verbsOf(accepted()))
    expect(url.origin + url.pathname).toBe("https://voice.example/talk")
    expect([...url.searchParams]).toEqual([
      ["tenant", "1"],
      ["ref", "call_1"],
      ["assistant_id", "asst_ada"],
      ["var_name", "Zoë"],
      ["var_seats", "5"],
      ["var_isNew", "true"]
    ])
  })

  it("streams an accepted call to a wss URL, with the data of the call as parameters", () => {
    const verbs = verbsOf(accepted(), { inboundUrl: stream })
    expect(verbs).toMatchObject([
      { name: "Connect", children: [{ name: "Stream", attributes: { url: "wss://agent.example/audio" } }] }
    ])
    expect(parametersOf(verbs)).toEqual([
      ["ref", "call_1"],
      ["assistant_id", "asst_ada"],
      ["var_name", "Zoë"],
      ["var_seats", "5"],
      ["var_isNew", "true"]
    ])
  })

  it("is exactly the document of its verbs", () => {
    expect(answerTo(refused("Hi")).text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><Response><Say>Hi</Say><Hangup/></Response>'
    )
  })

  it("has the same content as the TwiML of Twilio's package", () => {
    const response = new twilio.twiml.VoiceResponse()
    const made = response.connect().stream({ url: stream.href })
    for (const [name, value] of [
      ["ref", "call_1"],
      ["assistant_id", "asst_ada"],
      ["var_quote", `"<&>'`]
    ] as const)
      made.parameter({ name, value })
    const decision = accepted({ variables: { quote: `"<&>'` } })
    expect(verbsOf(decision, { inboundUrl: stream })).toEqual(parseTwiml(response.toString()))

    const spoken = new twilio.twiml.VoiceResponse()
    spoken.say("Sorry, <b>no</b> & goodbye.")
    spoken.hangup()
    expect(verbsOf(refused("Sorry, <b>no</b> & goodbye."))).toEqual(parseTwiml(spoken.toString()))
  })

  it("uses the URL of the agent, and the voice URL for an agent without one", () => {
    const urls = { asst_ada: stream, asst_ben: new URL("https://ben.example/?a=1&b=2") }
    const verbs = (assistantId: string) => verbsOf(accepted({ assistantId }), { inboundUrl: urls })
    expect(verbs("asst_ada")[0]?.name).toBe("Connect")
    expect(redirectOf(verbs("asst_ben")).href).toMatch(/^https:\/\/ben\.example\/\?a=1&b=2&ref=call_1&/)
    for (const other of ["asst_eve", "constructor", "__proto__"]) {
      expect(redirectOf(verbs(other)).hostname).toBe("voice.example")
    }
  })

  it("has a signed link in place of variables that are too long for a redirect or for a stream", () => {
    const refOf = (url: string | null | undefined) => variablesOf(token, { method: "GET", url: url ?? "", headers: {} })
    const variables = { name: "Zoë", notes: "x".repeat(4_000) }
    const length = redirectOf(verbsOf(accepted({ variables: { notes: "" } }))).href.length
    const longest = accepted({ variables: { notes: "x".repeat(4_000 - length) } })
    expect(redirectOf(verbsOf(longest)).href).toHaveLength(4_000)
    const url = redirectOf(verbsOf(accepted({ variables })))
    expect([...url.searchParams.keys()]).toEqual(["tenant", "ref", "assistant_id", "variables_url"])
    expect(refOf(url.searchParams.get("variables_url"))).toBe("call_1")

    const streamed = (variables: Readonly<Record<string, string>>) =>
      parametersOf(verbsOf(accepted({ variables }), { inboundUrl: stream }))
    // The name var_notes has 9 characters, and both together must be below 500.
    expect(streamed({ notes: "x".repeat(490) })[2]?.[0]).toBe("var_notes")
    const linked = streamed({ name: "Zoë", notes: "x".repeat(491) })
    expect(linked.map(([name]) => name)).toEqual(["ref", "assistant_id", "variables_url"])
    expect(refOf(linked[2]?.[1])).toBe("call_1")
    const bytesOf = (variables: Readonly<Record<string, string>>) =>
      new TextEncoder().encode(answerTo(accepted({ variables }), { inboundUrl: stream }).text).length
    const most = Object.fromEntries(Array.from({ length: 133 }, (_, index) => [`v${index + 100}`, "é".repeat(220)]))
    const left = 64_000 - bytesOf({ ...most, rest: "" })
    expect(bytesOf({ ...most, rest: "x".repeat(left) })).toBe(64_000)
    expect(streamed({ ...most, rest: "x".repeat(left + 1) })[2]?.[0]).toBe("variables_url")
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`v${index}`, "&".repeat(20)]))
    expect(streamed(many).map(([name]) => name)).toEqual(["ref", "assistant_id", "variables_url"])
  })

  it("has no reference when there is none, and leaves out variables that are too long", () => {
    const short = accepted({ ref: null, variables: { a: "1" } })
    expect([...redirectOf(verbsOf(short)).searchParams.keys()]).toEqual(["tenant", "assistant_id", "var_a"])
    const long = accepted({ ref: null, variables: { a: "x".repeat(4_000) } })
    expect([...redirectOf(verbsOf(long)).searchParams.keys()]).toEqual(["tenant", "assistant_id"])
    expect(parametersOf(verbsOf(long, { inboundUrl: stream }))).toEqual([["assistant_id", "asst_ada"]])
  })

  it("has a URL of exactly 4,000 characters without variables, and not of one more", () => {
    const { length } = redirectOf(verbsOf(accepted({ assistantId: "", variables: {} }))).href
    const verbs = (more: number) => verbsOf(accepted({ assistantId: "a".repeat(4_000 - length + more), variables: {} }))
    expect(redirectOf(verbs(0)).href).toHaveLength(4_000)
    expect(verbs(1)[0]?.name).toBe("Say")
  })

  it.each([undefined, stream])("says that the call cannot be connected when the assistant's id is too long", (url) => {
    const verbs = verbsOf(accepted({ assistantId: "a".repeat(4_000) }), { inboundUrl: url })
    expect(verbs.map(({ name }) => name)).toEqual(["Say", "Hangup"])
    expect(verbs[0]?.text).toContain("cannot be connected")
  })

  it("says the sentence of a refusal and hangs up, and only hangs up when there is nothing to say", () => {
    expect(verbsOf(refused("We are closed."))).toMatchObject([
      { name: "Say", text: "We are closed." },
      { name: "Hangup" }
    ])
    for (const empty of ["", " \n"]) expect(verbsOf(refused(empty)).map(({ name }) => name)).toEqual(["Hangup"])
  })
})

/** Returns a text as XML can have it. */
const inXml = (text: string) => text.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")

const hostile = fc.oneof(
  anyText({ maxLength: 40 }),
  fc.string({ unit: codePoint, maxLength: 20 }),
  fc.constantFrom(
    "]]>",
    "<!--",
    "-->",
    "<![CDATA[",
    "&amp;",
    "&#0;",
    "&lt;",
    '"/><Hangup/>',
    "</Say><Dial>+1</Dial>",
    "\r\n\t",
    "\uD800",
    "\uFFFE",
    "\u{10000}\u{10FFFF}",
    "<?x ?>"
  )
)

describe("laws of the answer to Twilio", () => {
  it("any sentence is one Say before one Hangup, with the same text", () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), (parts) => {
        const say = parts.join("")
        fc.pre(say.trim() !== "")
        expect(verbsOf(refused(say))).toEqual([
          { name: "Say", attributes: {}, children: [], text: inXml(say) },
          { name: "Hangup", attributes: {}, children: [], text: "" }
        ])
      })
    )
  })

  it("any variables are either the same in the parameters and in the query, or replaced by a link", () => {
    const texts = fc.tuple(hostile, fc.dictionary(hostile, fc.oneof(hostile, fc.double({ noNaN: true }), fc.boolean())))
    fc.assert(
      fc.property(texts, ([assistantId, variables]) => {
        const decision = accepted({ assistantId, variables })
        const data = (clean: (text: string) => string) => [
          ["ref", "call_1"],
          ["assistant_id", clean(assistantId)],
          ...Object.entries(variables).map(([name, value]) => [clean(`var_${name}`), clean(String(value))])
        ]
        expect(parametersOf(verbsOf(decision, { inboundUrl: stream }))).toEqual(data(inXml))
        const { searchParams } = redirectOf(verbsOf(decision))
        searchParams.delete("tenant")
        // Names that differ only in characters without a form in UTF-8 become one parameter.
        const query = new Map(data((text) => text.toWellFormed()).map(([name, value]) => [name, value]))
        if (!searchParams.has("variables_url"))
          expect(Object.fromEntries(searchParams)).toEqual(Object.fromEntries(query))
      })
    )
  })
})
