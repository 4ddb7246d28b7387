/** The parts of the OpenAPI document that its pages show. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly 'x-unit'?: string
}

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<
    Record<string, Content & { readonly $ref?: string; readonly description?: string }>
  >
}

export interface OpenapiDocument {
  readonly info: { readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, { readonly description?: string }>>
  }
}

const nameOf = (reference: string): string => reference.split('/').at(-1) as string

export const schemaOf = ({ components }: OpenapiDocument, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components.schemas[nameOf(schema.$ref)] ?? {})

export const parameterOf = ({ components }: OpenapiDocument, parameter: Parameter): Parameter =>
  parameter.$ref === undefined ? parameter : (components.parameters[nameOf(parameter.$ref)] ?? parameter)

export const descriptionOf = (
  { components }: OpenapiDocument,
  response: { readonly $ref?: string; readonly description?: string },
): string =>
  (response.$ref === undefined ? response : components.responses[nameOf(response.$ref)])?.description ?? ''

/** `integer, cents`, `text list`: the kind of a value in a few words. */
export function kindOf(document: OpenapiDocument, given: Schema): string {
  const schema = schemaOf(document, given)
  if (schema.anyOf) return schema.anyOf.map(one => kindOf(document, one)).join(' or ')
  const types = [schema.type ?? (schema.enum ? 'string' : 'any')].flat().filter(type => type !== 'null')
  const [type] = types
  const name =
    type === 'array' && schema.items
      ? `list of ${kindOf(document, schema.items)}`
      : schema.format === 'date'
        ? 'date'
        : types.join(' or ')
  const unit = schema['x-unit']
  return [name, unit, [schema.type].flat().includes('null') ? 'nullable' : undefined]
    .filter(Boolean)
    .join(', ')
}

/** A member of an answer by its path: `data[].pricing.ytm`. */
export interface Member {
  readonly path: string
  readonly kind: string
  readonly schema: Schema
}

/** Members below a schema, outer ones first, down to the given depth. */
export function membersOf(document: OpenapiDocument, given: Schema, path = '', depth = 5): Member[] {
  const schema = schemaOf(document, given)
  const below = schema.items ? membersOf(document, schema.items, `${path}[]`, depth) : []
  const own = depth === 0 ? [] : Object.entries(schema.properties ?? {})
  return [
    ...below,
    ...own.flatMap(([name, member]) => {
      const at = path === '' ? name : `${path}.${name}`
      const found = { path: at, kind: kindOf(document, member), schema: schemaOf(document, member) }
      return [found, ...membersOf(document, member, at, depth - 1)]
    }),
  ]
}
