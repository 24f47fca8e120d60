import type { Argument } from "@frontdesk/core/values/Input"
import * as String from "effect/String"
import * as SchemaAST from "effect/SchemaAST"
import { objectsOf } from "../facade/SchemaFields.ts"

/**
 * Returns the path of a field in the names of the arguments. Errors of the core name fields as JSON does
 * (`phone_numbers[1]`), because most of them are answers of the API. A name that no argument has, such as that of a
 * variable, stays.
 */
export const inNamesOf = (path: string, args: ReadonlyArray<Argument>): string => {
  let places = args.map(({ schema }) => schema.ast)
  return path.replace(/[^.[\]]+/g, (part) => {
    const found = places
      .flatMap(objectsOf)
      .flatMap(({ propertySignatures }) =>
        propertySignatures.filter(({ name }) => name === part || name === String.snakeToCamel(part))
      )
    // A position in a list.
    if (/^\d+$/.test(part)) places = places.flatMap(itemsOf)
    else places = found.map(({ type }) => type)
    const [first] = found
    return first === undefined ? part : globalThis.String(first.name)
  })
}

const itemsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  if (SchemaAST.isArrays(ast)) return ast.rest
  return SchemaAST.isUnion(ast) ? ast.types.flatMap(itemsOf) : []
}
