/** A word or phrase that is not used, and what to write instead. */
export interface Entry {
  readonly pattern: RegExp
  readonly instead: string
}

/** Entries for comments, messages, test names and Markdown pages. */
export const prose: ReadonlyArray<Entry> = [
  { pattern: /\bnobody\b|\bno one\b/i, instead: "name who does not: no caller, no process, no account" },
  { pattern: /\bsomebody\b|\bsomeone else\b/i, instead: "name who: a caller, another account, a person" },
  { pattern: /\bwho asks\b/i, instead: "the caller" },
  { pattern: /\bwhoever\b/i, instead: "name the actor" },
  { pattern: /\bby now\b/i, instead: "now, or leave it out" },
  { pattern: /\bof these\b(?! (?:\d|two|three))/i, instead: "name them" },
  {
    pattern: /\b(?:is|are|was|were|be|unless) said\b|\bsaid (?:once|so|in the)\b/i,
    instead: "is reported, unless given"
  },
  { pattern: /\bthe same holds\b/i, instead: "state the rule again" },
  { pattern: /\bcounts? for nothing\b/i, instead: "is ignored" },
  { pattern: /\bnudg(?:e|es|ed|ing)\b/i, instead: "notify" },
  { pattern: /\b(?:wakes?|waking|woken|woke)\b/i, instead: "notify" },
  { pattern: /\b(?:sets?|setting) (?:it |them )?aside\b|\baside\b/i, instead: "dead-letter: a dead-lettered task" },
  { pattern: /\babandon(?:s|ed|ing)?\b/i, instead: "dead-letter, or stop" },
  { pattern: /\boutside (?:calendar|world)s?\b/i, instead: "external calendar, external system" },
  { pattern: /\bputs? (?:it |them |some )?back\b|\bputting back\b/i, instead: "postpone" },
  { pattern: /\b(?:kept|held|keeps?|holds?) back\b/i, instead: "defer, deferred" },
  { pattern: /\b(?:is|are|was|were) told\b(?! apart)/i, instead: "receives, is notified" },
  { pattern: /\bwhat (?:became|becomes|becoming|came|comes) of\b/i, instead: "the result of" },
  { pattern: /\binnocen(?:t|ce)\b|\bquarantined?\b/i, instead: "poison isolation" },
  { pattern: /\bpatience\b/i, instead: "timeout" },
  { pattern: /\bpredecessors?\b/i, instead: "lease recovery: the process that held the lease before" },
  { pattern: /\bfingerprints?\b/i, instead: "checksum" },
  { pattern: /\bdomain events?\b/i, instead: "webhook event" },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: "repair, fix" },
  { pattern: /\boftener\b/i, instead: "more often" },
  { pattern: /\banew\b/i, instead: "again" },
  { pattern: /\bgreatest\b/i, instead: "largest, max" },
  { pattern: /\bstands? (?:in|at|above|below|beside|under|there)\b(?! for\b)/i, instead: "is in, is at" },
  { pattern: /\bhow (?:\w+ ){1,4}stands?\b|\bas it stands\b/i, instead: "the state of" },
  {
    pattern: /(?<!\b[Tt]here )\b(?:is|are|was|were) no (?!longer\b|more\b|later\b|earlier\b|such\b)\w+/i,
    instead: "is not a"
  }
]

/** Entries for doc comments. */
export const docs: ReadonlyArray<Entry> = [
  { pattern: /(?<=^\s*|[.:;]\s+)Answers\b/, instead: "Returns" },
  { pattern: /\b(?:is|are) refused (?:with|as|by|when|if|unless)\b/i, instead: "fails with …" }
]

/** Entries for the beginning of a doc comment. */
export const docStart: ReadonlyArray<Entry> = [
  { pattern: /^\s*Who(?:ever)?\b/, instead: "name the actor" },
  {
    pattern: /^\s*With how\b|^\s*How (?:often|long|many|much)\b.*\bis looked\b/,
    instead: "say what the value is and its unit"
  }
]

/** Parts of names that are not used, and what to write instead. `deadLetter` has the parts `dead` and `letter`. */
export interface NameEntry {
  readonly parts: ReadonlyArray<string>
  readonly instead: string
  /** Names that are right although they have such a part. */
  readonly except?: ReadonlyArray<string>
}

/** Entries for the names of files, exports and members. */
export const nameParts: ReadonlyArray<NameEntry> = [
  // A copy in an external calendar has the status `kept`.
  { parts: ["kept"], instead: "stored", except: ["isKept"] },
  { parts: ["nudge", "nudged", "wake", "woken"], instead: "notify" },
  { parts: ["maximum", "greatest", "most", "longest"], instead: "max, timeout" },
  { parts: ["patience"], instead: "timeout" },
  { parts: ["quarantine", "innocence", "innocent"], instead: "poison isolation" },
  { parts: ["fingerprint"], instead: "checksum" },
  { parts: ["predecessor"], instead: "lease recovery" },
  { parts: ["abandon", "abandoned"], instead: "dead letter" },
  { parts: ["outside"], instead: "external" },
  { parts: ["doubt", "doubts", "doubtful"], instead: "warning" },
  { parts: ["mend", "mended"], instead: "repair" },
  { parts: ["room"], instead: "quota, capacity" }
]

/** Entries for the names of files only, because some of the words are fields of the domain, such as `company`. */
export const fileNameParts: ReadonlyArray<NameEntry> = [
  {
    parts: ["company", "fitness", "glance", "heed", "highs", "side"],
    instead: "a word that a newcomer would search for"
  }
]
