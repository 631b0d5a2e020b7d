import { parseDefinitions } from '@countersign/inbox-ui/diagram/read-definitions';

/** Node of a parsed model, with the parts used here (moddle). Its content is untrusted. */
export interface ModelNode {
  readonly $type: string;
  readonly $parent?: ModelNode;
  readonly $attrs?: Readonly<Record<string, unknown>>;
  readonly $children?: readonly ModelNode[];
  readonly $body?: string;
  readonly $descriptor?: { readonly isGeneric?: boolean; readonly properties?: readonly ModelProperty[] };
  readonly [name: string]: unknown;
}

interface ModelProperty {
  readonly name: string;
  readonly isReference?: boolean;
  readonly isVirtual?: boolean;
  readonly isMany?: boolean;
}

/** Content of one element: everything that is executed or read, without the layout. */
export interface ModelElement {
  readonly id: string;
  /** `bpmn:UserTask`; `typeName` returns it without the prefix, for display. */
  readonly type: string;
  readonly name: string | undefined;
  readonly documentation: string | undefined;
  /** Values by path: `name`, `taskDefinition.type`, `ioMapping.input[target=sum].source`. */
  readonly facts: ReadonlyMap<string, string>;
}

export interface Model {
  readonly root: ModelNode;
  readonly elements: ReadonlyMap<string, ModelElement>;
  /** Whether the model has a layout. */
  readonly drawn: boolean;
}

const TRACKED =
  /^bpmn:(.*(Task|Event|Gateway|Activity)|Process|SubProcess|Transaction|AdHocSubProcess|Participant|Lane|SequenceFlow|MessageFlow|DataObjectReference|DataStoreReference|TextAnnotation|Collaboration|Message|Error|Signal|Escalation)$/;
/** Separate elements, what follows from the flows, and the layout. */
const LEFT_OUT = new Set([
  'flowElements',
  'laneSets',
  'childLaneSet',
  'participants',
  'messageFlows',
  'artifacts',
  'incoming',
  'outgoing',
  'documentation',
  'flowNodeRef',
  'di',
]);
/** Attributes that distinguish several extensions of the same kind. */
const DISCRIMINATORS = ['target', 'name', 'key', 'id'];

/**
 * Reads a BPMN file. Extensions, including those of Zeebe, are read literally, even unknown ones.
 *
 * @throws {Error} it is not BPMN
 */
export async function readModel(xml: string): Promise<Model> {
  return modelOf(await parseDefinitions(xml));
}

/** Returns the content of a parsed file. */
export function modelOf(definitions: object): Model {
  const root = definitions as ModelNode;
  const elements = new Map<string, ModelElement>();
  collect(root, elements, new Set());
  const diagrams = root['diagrams'];
  return { root, elements, drawn: Array.isArray(diagrams) && diagrams.length > 0 };
}

/** `userTask` for `bpmn:UserTask`. */
export function typeName(type: string): string {
  const local = type.slice(type.indexOf(':') + 1);
  return local.charAt(0).toLowerCase() + local.slice(1);
}

function collect(node: ModelNode, into: Map<string, ModelElement>, seen: Set<ModelNode>): void {
  if (seen.has(node)) return;
  seen.add(node);
  const id = node['id'];
  if (typeof id === 'string' && TRACKED.test(node.$type) && !node.$type.endsWith('EventDefinition'))
    into.set(id, describe(id, node));
  for (const child of children(node)) collect(child, into, seen);
}

/** Returns the nodes that a node contains, not those it refers to. */
function children(node: ModelNode): ModelNode[] {
  return (node.$descriptor?.properties ?? [])
    .filter(
      ({ isReference, isVirtual, name }) => isReference !== true && isVirtual !== true && Object.hasOwn(node, name),
    )
    .flatMap(({ name }) => [node[name]].flat())
    .filter(isNode);
}

function describe(id: string, node: ModelNode): ModelElement {
  const facts = new Map<string, string>();
  const documentation = textOf(node['documentation']);
  if (documentation !== undefined) facts.set('documentation', documentation);
  addFacts(node, '', facts, 0);
  const name = node['name'];
  return {
    id,
    type: node.$type,
    name: typeof name === 'string' && name !== '' ? name : undefined,
    documentation,
    facts,
  };
}

const MAX_LEVELS = 20;

function addFacts(
  node: ModelNode,
  path: string,
  facts: Map<string, string>,
  level: number,
  discriminator?: string,
): void {
  if (level > MAX_LEVELS) return;
  if (node.$descriptor?.isGeneric === true) return addGeneric(node, path, facts, level, discriminator);
  for (const [name, value] of Object.entries(node.$attrs ?? {}))
    if (!name.startsWith('xmlns')) put(facts, join(path, name), value);
  for (const { name, isReference, isVirtual } of node.$descriptor?.properties ?? []) {
    if (isVirtual === true || !Object.hasOwn(node, name) || LEFT_OUT.has(name) || (name === 'id' && path === ''))
      continue;
    const value = node[name];
    if (name === 'extensionElements' && isNode(value))
      addChildren([value['values']].flat().filter(isNode), path, facts, level);
    else if (isReference === true)
      put(
        facts,
        join(path, name),
        [value]
          .flat()
          .map((each) => (isNode(each) ? each['id'] : each))
          .join(', '),
      );
    else {
      const nodes = [value]
        .flat()
        .filter(isNode)
        .filter((each) => !(TRACKED.test(each.$type) && !each.$type.endsWith('EventDefinition')));
      if (nodes.length > 0) addChildren(nodes, path === '' ? '' : path, facts, level, name);
      else if (!isNode(value)) put(facts, join(path, name), value);
    }
  }
}

function addGeneric(
  node: ModelNode,
  path: string,
  facts: Map<string, string>,
  level: number,
  discriminator: string | undefined,
): void {
  // Its presence may be its whole content.
  if (Object.keys(node).every((name) => name.startsWith('$') || name === discriminator) && node.$children === undefined)
    put(facts, path, node.$body ?? '✓');
  for (const [name, value] of Object.entries(node)) {
    if (name === discriminator) continue;
    if (name.startsWith('$') && name !== '$body') continue;
    if (typeof value === 'string') put(facts, name === '$body' ? path : join(path, name), value);
  }
  addChildren(node.$children ?? [], path, facts, level);
}

function addChildren(
  nodes: readonly ModelNode[],
  path: string,
  facts: Map<string, string>,
  level: number,
  property?: string,
): void {
  const seen = new Map<string, number>();
  for (const node of nodes) {
    const kind = property === undefined || property === 'eventDefinitions' ? plain(node.$type) : property;
    const by = DISCRIMINATORS.find((name) => typeof node[name] === 'string' && node.$descriptor?.isGeneric === true);
    const key = by === undefined ? kind : `${kind}[${by}=${String(node[by])}]`;
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    const at = join(path, times === 1 ? key : `${key}#${times}`);
    // Its presence may be its whole content: `terminateEventDefinition`.
    if (property === 'eventDefinitions' || property === 'loopCharacteristics') put(facts, at, typeName(node.$type));
    addFacts(node, at, facts, level + 1, by);
  }
}

/** Removes the prefixes that nearly all types have. */
function plain(type: string): string {
  return type.replace(/^(bpmn|zeebe):/, '');
}

function put(facts: Map<string, string>, path: string, value: unknown): void {
  if (value !== undefined && value !== null && value !== '')
    facts.set(path, typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean));
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function textOf(documentation: unknown): string | undefined {
  const text = [documentation]
    .flat()
    .filter(isNode)
    .map((node) => node['text'])
    .filter((each): each is string => typeof each === 'string')
    .join('\n\n')
    .trim();
  return text === '' ? undefined : text;
}

function isNode(value: unknown): value is ModelNode {
  return typeof value === 'object' && value !== null && typeof (value as ModelNode).$type === 'string';
}
