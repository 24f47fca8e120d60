import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

/** Returns the objects that a schema accepts. */
export const objectsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.Objects> => {
  if (SchemaAST.isObjects(ast)) return [ast]
  return SchemaAST.isUnion(ast) ? ast.types.flatMap(objectsOf) : []
}

/** Returns whether an object that a schema accepts may have the field. */
export const has = (schema: Schema.Top, name: string): boolean =>
  objectsOf(schema.ast).some(({ propertySignatures }) => propertySignatures.some((field) => field.name === name))
