import type { z } from 'zod';
import { getMetadata, type SchemaMetadata } from './schema-metadata.js';

type Schema = z.core.$ZodType;

/** A node of the tree of configuration keys, read from zod schemas. */
export type SchemaNode = SectionNode | ListNode | MapNode | ValueNode;

interface NodeBase {
  /** Name for readers; `undefined` if the words of the key suffice. */
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Default declared by the schema, before or after its transformation. */
  readonly defaultValue: unknown;
  /** Whether the value may be omitted. */
  readonly optional: boolean;
  /** Whether a change takes effect without a restart. */
  readonly reloadable: boolean;
  /** Whether the value is set only where the server is deployed. */
  readonly deploymentOnly: boolean;
}

export interface SectionNode extends NodeBase {
  readonly kind: 'section';
  readonly children: ReadonlyMap<string, SchemaNode>;
}

export interface ListNode extends NodeBase {
  readonly kind: 'list';
  readonly item: SchemaNode;
  /** Whether a single item may be given instead of a list. */
  readonly acceptsSingleItem: boolean;
  /** Key that names an item; `undefined` if items are addressed by index. */
  readonly itemKey: string | undefined;
}

/** A section with arbitrary keys. */
export interface MapNode extends NodeBase {
  readonly kind: 'map';
  readonly value: SchemaNode;
}

export interface ValueNode extends NodeBase {
  readonly kind: 'value';
  readonly mark: SchemaMetadata['kind'] | undefined;
  /** The schema without wrappers. Text is converted to its type. */
  readonly schema: Schema;
}

export function isSecret(node: SchemaNode): boolean {
  return node.kind === 'value' && node.mark === 'secret';
}

/** Returns whether a node is or contains a secret. */
export function hasSecret(node: SchemaNode): boolean {
  switch (node.kind) {
    case 'value':
      return isSecret(node);
    case 'list':
      return hasSecret(node.item);
    case 'map':
      return hasSecret(node.value);
    case 'section':
      return [...node.children.values()].some(hasSecret);
  }
}

/** Flags that the children of a node inherit. */
type InheritedFlags = Pick<NodeBase, 'reloadable' | 'deploymentOnly'>;

interface UnwrappedSchema {
  readonly schema: Schema;
  readonly mark: SchemaMetadata['kind'] | undefined;
  readonly itemKey: string | undefined;
  readonly base: NodeBase;
}

/** Builds the node of a schema from its inner schema, without defaults, transformations and other wrappers. */
export function buildSchemaNode(
  schema: Schema,
  inherited: InheritedFlags = { reloadable: false, deploymentOnly: false },
): SchemaNode {
  const { schema: inner, mark, itemKey, base } = unwrap(schema, inherited);
  const { def } = (inner as z.core.$ZodTypes)._zod;
  if (mark !== undefined) return { ...base, kind: 'value', mark, schema: inner };
  switch (def.type) {
    case 'object':
      return {
        ...base,
        kind: 'section',
        children: new Map(Object.entries(def.shape).map(([key, child]) => [key, buildSchemaNode(child, base)])),
      };
    case 'array':
      return { ...base, kind: 'list', item: buildSchemaNode(def.element, base), acceptsSingleItem: false, itemKey };
    case 'record':
      return { ...base, kind: 'map', value: buildSchemaNode(def.valueType, base) };
    case 'union': {
      const list = def.options.map((option) => buildSchemaNode(option, base)).find((option) => option.kind === 'list');
      return list === undefined
        ? { ...base, kind: 'value', mark, schema: inner }
        : { ...list, ...base, acceptsSingleItem: true };
    }
    default:
      return { ...base, kind: 'value', mark, schema: inner };
  }
}

function unwrap(outer: Schema, inherited: InheritedFlags): UnwrappedSchema {
  let schema = outer;
  let mark: SchemaMetadata['kind'] | undefined;
  let itemKey: string | undefined;
  let title: string | undefined;
  let description: string | undefined;
  let defaultValue: unknown;
  let optional = false;
  let { reloadable, deploymentOnly } = inherited;
  for (;;) {
    const metadata = getMetadata(schema);
    mark ??= metadata.kind;
    itemKey ??= metadata.keyedBy;
    reloadable ||= metadata.reloadable === true;
    deploymentOnly ||= metadata.deploymentOnly === true;
    title ??= (schema as z.ZodType).meta()?.title;
    description ??= (schema as z.ZodType).description;
    const { def } = (schema as z.core.$ZodTypes)._zod;
    if (def.type === 'default' || def.type === 'prefault') {
      defaultValue ??= def.defaultValue;
      optional = true;
    }
    if (def.type === 'optional') optional = true;
    const inner = innerSchema(def);
    if (inner === undefined)
      return {
        schema,
        mark,
        itemKey,
        base: { title, description, defaultValue, optional, reloadable, deploymentOnly },
      };
    schema = inner;
  }
}

function innerSchema(def: z.core.$ZodTypes['_zod']['def']): Schema | undefined {
  switch (def.type) {
    case 'default':
    case 'prefault':
    case 'optional':
    case 'nonoptional':
    case 'nullable':
    case 'readonly':
    case 'catch':
      return def.innerType;
    case 'lazy':
      return def.getter();
    case 'pipe':
      // The first part of a `preprocess` pipe does not describe the shape.
      return (def.in as z.core.$ZodTypes)._zod.def.type === 'transform' ? def.out : def.in;
    default:
      return undefined;
  }
}
