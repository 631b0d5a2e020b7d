import type { z } from 'zod';
import type { TemplateProperty } from './element-template.js';

type Schema = z.core.JSONSchema.JSONSchema;

/** The JSON Schema of a zod object. */
export type InputSchema = Schema & { readonly properties?: Record<string, Schema>; readonly required?: string[] };

interface FieldContext {
  /** The target of the input mapping. */
  readonly target: string;
  readonly group: string;
  readonly isRequired: boolean;
  /** Condition under which the field is shown: another property has this value. */
  readonly condition?: { readonly property: string; readonly equals: string };
}

const KNOWN_GROUPS: ReadonlySet<string> = new Set(['input', 'authentication', 'limits']);

/** Returns one or more fields per input. */
export function createInputProperties(schema: InputSchema): TemplateProperty[] {
  return createObjectFields(schema, undefined);
}

function createObjectFields(
  { properties = {}, required = [] }: InputSchema,
  parent: FieldContext | undefined,
): TemplateProperty[] {
  return Object.entries(properties).flatMap(([name, property]) =>
    toFields(property, {
      target: parent === undefined ? name : `${parent.target}.${name}`,
      group: parent?.group ?? getGroup(name, property),
      isRequired: (parent?.isRequired ?? true) && required.includes(name),
      ...(parent?.condition === undefined ? {} : { condition: parent.condition }),
    }),
  );
}

function getGroup(name: string, { group }: Schema): string {
  return typeof group === 'string' && KNOWN_GROUPS.has(group) ? group : KNOWN_GROUPS.has(name) ? name : 'input';
}

function toFields(schema: Schema, context: FieldContext): TemplateProperty[] {
  const union = findDiscriminatedUnion(schema);
  if (union !== undefined) return createUnionFields(schema, union, context);
  if (schema.type === 'object' && schema.properties !== undefined)
    return createObjectFields(schema as InputSchema, context);
  return [toField(schema, context)];
}

interface DiscriminatedUnion {
  /** The key that distinguishes the options. */
  readonly key: string;
  readonly options: readonly { readonly value: string; readonly title: string; readonly rest: InputSchema }[];
}

/**
 * Returns the options of a union of objects that a key with a constant value distinguishes (zod's discriminated union).
 */
function findDiscriminatedUnion({ oneOf }: Schema): DiscriminatedUnion | undefined {
  const [first] = oneOf ?? [];
  const key = Object.entries((first as InputSchema | undefined)?.properties ?? {}).find(
    ([, { const: value }]) => typeof value === 'string',
  )?.[0];
  if (oneOf === undefined || key === undefined) return undefined;
  const options = oneOf.map((option) => {
    const { properties = {}, required = [] } = option as InputSchema;
    const { [key]: discriminatorSchema, ...rest } = properties;
    const value = String(discriminatorSchema?.const);
    return { value, title: discriminatorSchema?.title ?? value, rest: { properties: rest, required } as InputSchema };
  });
  return { key, options };
}

function createUnionFields(
  schema: Schema,
  { key, options }: DiscriminatedUnion,
  context: FieldContext,
): TemplateProperty[] {
  const target = `${context.target}.${key}`;
  const defaultValue = (schema.default as Record<string, unknown> | undefined)?.[key] ?? options[0]?.value;
  return [
    completeField(
      {
        type: 'Dropdown',
        label: schema.title ?? context.target,
        value: defaultValue,
        choices: options.map(({ value, title }) => ({ name: title, value })),
      },
      { ...context, target },
      schema,
    ),
    ...options.flatMap(({ value, rest }) =>
      createObjectFields(rest, { ...context, isRequired: true, condition: { property: target, equals: value } }),
    ),
  ];
}

function toField(schema: Schema, context: FieldContext): TemplateProperty {
  const label = schema.title ?? context.target;
  if (schema.enum !== undefined) {
    // A dropdown needs a preset value.
    const choices = schema.enum.map((value) => ({ name: String(value), value: String(value) }));
    return completeField(
      { type: 'Dropdown', label, choices, value: schema.default ?? choices[0]?.value },
      context,
      schema,
    );
  }
  const constraint =
    context.isRequired && schema.default === undefined ? { constraints: { notEmpty: true } } : { optional: true };
  return completeField({ ...getFieldType(schema), label, ...constraint }, context, {
    ...schema,
    description: buildDescription(schema),
  });
}

/**
 * Adds the default to the description. The BPMN model does not contain it, so an empty field follows the connector's
 * default.
 */
function buildDescription({ description, default: defaultValue }: Schema): string | undefined {
  return defaultValue === undefined
    ? description
    : `${description === undefined ? '' : `${description} `}By default ${JSON.stringify(defaultValue)}.`;
}

function getFieldType(schema: Schema): Record<string, unknown> {
  switch (schema.type) {
    case 'string':
      // A pattern restricts names, which must not come from expressions: data of a run must not select a secret.
      return schema.pattern === undefined
        ? { type: schema['multiline'] === true ? 'Text' : 'String', feel: 'optional' }
        : { type: 'String' };
    case 'number':
    case 'integer':
      return { type: 'Number', feel: 'optional' };
    case 'boolean':
      return { type: 'Boolean', feel: 'optional' };
    case 'object':
    case 'array':
      return { type: 'Text', feel: 'required' };
    default:
      // Several types are allowed: a literal string or an expression.
      return { type: 'Text', feel: 'optional' };
  }
}

function completeField(
  field: Record<string, unknown>,
  { target, group, condition }: FieldContext,
  { description }: { readonly description?: string | undefined },
): TemplateProperty {
  return {
    id: condition === undefined ? target : `${condition.equals}:${target}`,
    ...field,
    ...(description === undefined ? {} : { description }),
    group,
    binding: { type: 'zeebe:input', name: target },
    ...(condition === undefined ? {} : { condition: { type: 'simple', ...condition } }),
  };
}
