/** One metric of a scrape: its help, its type, and its samples by name and labels. */
export interface Family {
  readonly help: string | null
  readonly type: string
  readonly samples: ReadonlyMap<string, number>
}

const sampleForm = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const labelForm = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y
const valueForm = /^(?:NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/

const endings: Readonly<Record<string, ReadonlyArray<string>>> = {
  counter: [""],
  gauge: [""],
  histogram: ["_bucket", "_sum", "_count"],
  summary: ["", "_sum", "_count"]
}

const fail = (line: number, problem: string): never => {
  throw new Error(`line ${line}: ${problem}`)
}

const labelsOf = (text: string, line: number): ReadonlyMap<string, string> => {
  const labels = new Map<string, string>()
  labelForm.lastIndex = 0
  while (labelForm.lastIndex < text.length) {
    const [, name = "", value = ""] = labelForm.exec(text) ?? fail(line, `labels {${text}}`)
    if (labels.has(name)) fail(line, `the label ${name} twice`)
    labels.set(name, value)
  }
  return labels
}

/**
 * Parses the text format of Prometheus, version 0.0.4, and throws at the first invalid line. Each metric must be in one
 * block, with one TYPE before its samples. No series may occur twice, and buckets and quantiles must have their labels.
 */
export const parse = (text: string): ReadonlyMap<string, Family> => {
  if (!text.endsWith("\n")) fail(0, "the last line has no end")
  const families = new Map<string, { help: string | null; type: string; samples: Map<string, number> }>()
  let current = ""
  for (const [index, content] of text.slice(0, -1).split("\n").entries()) {
    const line = index + 1
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(content) ?? []
    if (kind !== undefined) {
      const family = families.get(name) ?? { help: null, type: "", samples: new Map() }
      if (families.has(name) && name !== current) fail(line, `${name} in two places`)
      if (kind === "HELP" && (family.help !== null || family.type !== "")) fail(line, `a second HELP for ${name}`)
      if (kind === "TYPE" && (family.type !== "" || !(rest in endings))) fail(line, `the TYPE ${rest} for ${name}`)
      if (kind === "HELP") family.help = rest
      else family.type = rest
      families.set(name, family)
      current = name
      continue
    }
    const family = families.get(current) ?? fail(line, "a sample without a TYPE")
    const [, sample = "", labelText = "", value = ""] = sampleForm.exec(content) ?? fail(line, content)
    const ending =
      endings[family.type]?.find((each) => `${current}${each}` === sample) ?? fail(line, `${sample} in ${current}`)
    const labels = labelsOf(labelText, line)
    if (!valueForm.test(value)) fail(line, `the value ${value}`)
    if ((ending === "_bucket") !== labels.has("le")) fail(line, "only buckets have the label le")
    const isQuantile = family.type === "summary" && ending === ""
    if (isQuantile !== labels.has("quantile")) fail(line, "only summaries have the label quantile")
    const series = `${sample}{${[...labels]
      .map(([name, value]) => `${name}="${value}"`)
      .toSorted()
      .join(",")}}`
    if (family.samples.has(series)) fail(line, `${series} twice`)
    family.samples.set(series, Number(value.replace("Inf", "Infinity")))
  }
  return families
}
