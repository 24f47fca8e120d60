import { openApi } from "@frontdesk/http/openapi/Documentation"
import { isJson, type Json, list, object } from "@frontdesk/http/openapi/Json"

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const pascal = (name: string): string => name.replace(/(?:^|[._-])(\w)/g, (_, first: string) => first.toUpperCase())

const comment = (description: unknown, indent: string): string => {
  if (typeof description !== "string" || description === "") return ""
  const sentence = description.charAt(0).toUpperCase() + description.slice(1)
  return `${indent}/** ${sentence.replaceAll("\n", " ").replaceAll("*/", "* /")} */\n`
}

const key = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name))

/** Returns the TypeScript type of a JSON schema. */
const typeOf = (schema: unknown, indent: string): string => {
  const { $ref, additionalProperties, anyOf, const: constant, enum: values, items, properties, type } = object(schema)
  const { not, prefixItems } = object(schema)
  // The schema `{ not: {} }` accepts no value.
  if (not !== undefined && type === undefined) return "never"
  if (prefixItems !== undefined) {
    return `readonly [${list(prefixItems)
      .map((member) => typeOf(member, indent))
      .join(", ")}]`
  }
  if (typeof $ref === "string") return $ref.replace("#/components/schemas/", "")
  if (anyOf !== undefined)
    return list(anyOf)
      .map((member) => typeOf(member, indent))
      .join(" | ")
  if (constant !== undefined) return JSON.stringify(constant)
  if (values !== undefined)
    return list(values)
      .map((value) => JSON.stringify(value))
      .join(" | ")
  if (type === "array") return `ReadonlyArray<${typeOf(items, indent)}>`
  if (type === "object" && properties !== undefined) return `{\n${fieldsOf(object(schema), `${indent}  `)}${indent}}`
  if (type === "object") {
    return `{ readonly [name: string]: ${additionalProperties === true ? "Json" : typeOf(additionalProperties, indent)} }`
  }
  if (type === "integer" || type === "number") return "number"
  if (type === "string" || type === "boolean" || type === "null") return type
  return "Json"
}

const fieldsOf = (schema: Json, indent: string): string => {
  const required = list(schema["required"])
  return Object.entries(object(schema["properties"]))
    .map(([name, field]) => {
      const isRequired = required.includes(name)
      const type = typeOf(field, indent)
      const optional = isRequired ? "" : "?"
      const absent = isRequired || type === "never" ? "" : " | undefined"
      return `${comment(object(field)["description"], indent)}${indent}readonly ${key(name)}${optional}: ${type}${absent}\n`
    })
    .join("")
}

/** Returns a component as an interface, or as a type when it is not an object. */
const component = (name: string, schema: unknown, usage: string | undefined): string => {
  const { description, properties, type } = object(schema)
  const described = comment(description ?? usage, "")
  return type === "object" && properties !== undefined
    ? `${described}export interface ${name} {\n${fieldsOf(object(schema), "  ")}}\n`
    : `${described}export type ${name} = ${typeOf(schema, "")}\n`
}

/** The names of resources whose operations have another name. They are those of `@frontdesk/embed`. */
const resourceNames: { readonly [group: string]: string } = { business: "businessContext", events: "calendar" }

interface Operation {
  readonly resource: string
  readonly method: string
  readonly verb: string
  readonly path: string
  readonly summary: string
  readonly pathNames: ReadonlyArray<string>
  readonly query: ReadonlyArray<Json>
  readonly body: unknown
  readonly isBodyRequired: boolean
  readonly answer: string
  /** The name of the field with the rows of a list. */
  readonly rows: string | undefined
  readonly row: string
}

const answerOf = (operation: Json): { readonly type: string; readonly schema: Json } => {
  const schemas = Object.entries(object(operation["responses"]))
    .filter(([status]) => Number(status) < 300)
    .flatMap(([, response]) => Object.values(object(object(response)["content"])))
    .map((content) => object(object(content)["schema"]))
  return { type: [...new Set(schemas.map((schema) => typeOf(schema, "  ")))].join(" | "), schema: schemas[0] ?? {} }
}

/** Returns the field of a list with its rows: the only array of components, or else the only array of texts. */
const rowsOf = (schema: Json): readonly [name: string, type: string] | undefined => {
  const arrays = Object.entries(object(schema["properties"]))
    .filter(([, field]) => object(field)["type"] === "array")
    .map(([name, field]) => [name, typeOf(object(field)["items"], "")] as const)
  return arrays.find(([, type]) => /^[A-Z]/.test(type)) ?? arrays.find(([, type]) => type === "string")
}

const operationsOf = (document: Json): ReadonlyArray<Operation> =>
  Object.entries(object(document["paths"])).flatMap(([path, methods]) =>
    Object.entries(object(methods)).flatMap(([verb, given]): ReadonlyArray<Operation> => {
      const operation = object(given)
      const [group = "", method = "", alias] = text(operation["operationId"]).split(".")
      if (alias !== undefined) return []
      const parameters = list(operation["parameters"]).map(object)
      const { type, schema } = answerOf(operation)
      const isList = verb === "get" && ["list", "deliveries", "movements"].includes(method)
      const rows = isList ? rowsOf(schema) : undefined
      const body = object(operation["requestBody"])
      return [
        {
          resource: resourceNames[group] ?? group,
          method,
          verb: verb.toUpperCase(),
          path,
          summary: text(operation["summary"]),
          pathNames: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
          query: parameters.filter((parameter) => parameter["in"] === "query"),
          body: object(object(body["content"])["application/json"])["schema"],
          isBodyRequired: body["required"] === true,
          answer: isList
            ? `${pascal(resourceNames[group] ?? group)}${method === "list" ? "" : pascal(method)}Page`
            : type,
          rows: rows?.[0],
          row: rows?.[1] ?? ""
        }
      ]
    })
  )

/** Returns what each component is for: the operation whose body or answer it is, or the field that it describes. */
const usagesOf = (schemas: Json, operations: ReadonlyArray<Operation>): ReadonlyMap<string, string> => {
  const usages = new Map<string, string>()
  const add = (name: string, usage: string) => {
    if (!usages.has(name)) usages.set(name, usage)
  }
  for (const { answer, body, method, resource, row } of operations) {
    if (body !== undefined) add(typeOf(body, ""), `The body of \`${resource}.${method}\`.`)
    if (row !== "") add(row, `A row of \`${resource}.${method}\`.`)
    for (const name of answer.split(" | ")) add(name, `The answer of \`${resource}.${method}\`.`)
  }
  for (const [owner, schema] of Object.entries(schemas)) {
    if (owner.endsWith("Payload")) add(owner, `The payload of the webhook event \`${eventOf(schema)}\`.`)
    for (const [field, value] of Object.entries(object(object(schema)["properties"]))) {
      for (const [, name = ""] of JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g)) {
        add(name, `The field \`${field}\` of \`${owner}\`.`)
      }
    }
  }
  return usages
}

const eventOf = (schema: unknown): string => text(object(object(object(schema)["properties"])["event_type"])["const"])

const camel = (name: string): string => name.replace(/_(\w)/g, (_, first: string) => first.toUpperCase())

const queryName = ({ method, resource }: Operation): string => `${pascal(resource)}${pascal(method)}Query`

/** Returns the types of an operation that have no component: its query, and the page of a list. */
const ownTypes = (operation: Operation, document: Json): string => {
  const { answer, query, rows } = operation
  const fields = query
    .map((parameter) => {
      const described = comment(parameter["description"] ?? object(parameter["schema"])["description"], "  ")
      return `${described}  readonly ${key(text(parameter["name"]))}?: ${typeOf(parameter["schema"], "  ")} | undefined\n`
    })
    .join("")
  const asked =
    query.length === 0
      ? ""
      : `/** The query of \`${operation.resource}.${operation.method}\`. */\nexport interface ${queryName(operation)} {\n${fields}}\n\n`
  if (rows === undefined) return asked
  const methods = object(object(document["paths"])[operation.path])
  const { schema } = answerOf(object(methods["get"]))
  return `${asked}/** A page of \`${operation.resource}.${operation.method}\`. */\nexport interface ${answer} {\n${fieldsOf(schema, "  ")}}\n\n`
}

const signature = (operation: Operation): string => {
  const { answer, body, isBodyRequired, method, pathNames, query, row, rows, summary } = operation
  const args = pathNames.map((name) => `${camel(name)}: number | string`)
  if (body !== undefined) args.push(`body${isBodyRequired ? "" : "?"}: ${typeOf(body, "  ")}`)
  if (query.length > 0) args.push(`query?: ${queryName(operation)}`)
  args.push("options?: RequestOptions")
  const result = rows === undefined ? `Promise<${answer}>` : `List<${row}, ${answer}>`
  return `  /** ${summary}. */\n  readonly ${method}: (${args.join(", ")}) => ${result}\n`
}

const header = `// Made by \`pnpm run client\` from the OpenAPI document. Change the API, and not this file.\n`

/** Returns the sources that the OpenAPI document gives, by file name. */
export const generate = (): { readonly types: string; readonly operations: string } => {
  const document: Json = { ...openApi() }
  const schemas = object(object(document["components"])["schemas"])
  const operations = operationsOf(document)
  const resources = Map.groupBy(operations, ({ resource }) => resource)
  const events = Object.keys(object(document["webhooks"]))
  const usages = usagesOf(schemas, operations)
  const types = [
    header,
    `import type { Json, List, RequestOptions } from "../common.ts"\n`,
    ...Object.entries(schemas)
      .filter(([name]) => name !== "Error")
      .map(([name, schema]) => component(name, schema, usages.get(name))),
    ...operations.map((operation) => ownTypes(operation, document)).filter((own) => own !== ""),
    `/** The payload of a webhook event. \`event_type\` tells which one it is. */\nexport type WebhookPayload =\n${events
      .map((name) => `  | ${pascal(name)}Payload`)
      .join("\n")}\n`,
    ...[...resources].map(
      ([name, methods]) =>
        `/** The operations on \`${name}\`. */\nexport interface ${pascal(name)}Resource {\n${methods.map(signature).join("")}}\n`
    ),
    `/** The operations of the API, by resource. */\nexport interface Resources {\n${[...resources.keys()]
      .map((name) => `  readonly ${name}: ${pascal(name)}Resource\n`)
      .join("")}}\n`,
    `/** A code of an error. */\nexport type ApiErrorCode =\n${codesOf(document)
      .map((code) => `  | ${JSON.stringify(code)}`)
      .join("\n")}\n`
  ].join("\n")
  const table = [...resources].map(
    ([name, methods]) =>
      `  ${name}: {\n${methods
        .map(
          ({ body, method, path, query, rows, verb }) =>
            `    ${method}: ${JSON.stringify([verb, path, Number(body !== undefined), Number(query.length > 0), ...(rows === undefined ? [] : [rows])])}`
        )
        .join(",\n")}\n  }`
  )
  const operationsText = `${header}
/**
 * The operations: verb, path, whether there is a body, whether there is a query, and the field with the rows of a list.
 */
export const operations: {
  readonly [resource: string]: {
    readonly [method: string]: readonly [string, string, number, number, string?]
  }
} = {\n${table.join(",\n")}\n}\n`
  return { types, operations: operationsText }
}

/** Returns every error code of the document, in alphabetical order. */
const codesOf = (document: Json): ReadonlyArray<string> => {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isJson(value)) return
    const { allOf } = value
    const [, codes] = list(allOf)
    for (const code of list(object(object(object(codes)["properties"])["error"])["enum"])) found.add(text(code))
    Object.values(value).forEach(visit)
  }
  visit(document["paths"])
  return [...found].toSorted()
}
