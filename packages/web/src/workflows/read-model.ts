import { parseDefinitions } from '@countersign/inbox-ui/diagram/read-definitions';

/** Node of a parsed BPMN model (moddle), with the properties used here. Its content is untrusted. */
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
  /** Type with its prefix, such as `bpmn:UserTask`. */
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
  readonly hasLayout: boolean;
}

const TRACKED_TYPES =
  /^bpmn:(.*(Task|Event|Gateway|Activity)|Process|SubProcess|Transaction|AdHocSubProcess|Participant|Lane|SequenceFlow|MessageFlow|DataObjectReference|DataStoreReference|TextAnnotation|Collaboration|Message|Error|Signal|Escalation)$/;
/** Properties without facts: contained elements, references that repeat the flows, the documentation and the layout. */
const OMITTED_PROPERTIES = new Set([
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
 * Reads a BPMN file. Extension elements, of Zeebe or unknown, are read generically, without a schema.
 *
 * @throws {Error} if the file is not BPMN
 */
export async function readModel(xml: string): Promise<Model> {
  return buildModel(await parseDefinitions(xml));
}

/** Returns the content of a parsed file. */
export function buildModel(definitions: object): Model {
  const root = definitions as ModelNode;
  const elements = new Map<string, ModelElement>();
  collectElements(root, elements, new Set());
  const diagrams = root['diagrams'];
  return { root, elements, hasLayout: Array.isArray(diagrams) && diagrams.length > 0 };
}

/** Returns a type without its prefix and with a lower-case first letter: `userTask` for `bpmn:UserTask`. */
export function toUnprefixedType(type: string): string {
  const localName = type.slice(type.indexOf(':') + 1);
  return localName.charAt(0).toLowerCase() + localName.slice(1);
}

function collectElements(node: ModelNode, elements: Map<string, ModelElement>, visited: Set<ModelNode>): void {
  if (visited.has(node)) return;
  visited.add(node);
  const id = node['id'];
  if (typeof id === 'string' && TRACKED_TYPES.test(node.$type) && !node.$type.endsWith('EventDefinition'))
    elements.set(id, toModelElement(id, node));
  for (const child of findContainedNodes(node)) collectElements(child, elements, visited);
}

/** Returns the nodes that a node contains, not those it refers to. */
function findContainedNodes(node: ModelNode): ModelNode[] {
  return (node.$descriptor?.properties ?? [])
    .filter(
      ({ isReference, isVirtual, name }) => isReference !== true && isVirtual !== true && Object.hasOwn(node, name),
    )
    .flatMap(({ name }) => [node[name]].flat())
    .filter(isNode);
}

function toModelElement(id: string, node: ModelNode): ModelElement {
  const facts = new Map<string, string>();
  const documentation = readDocumentation(node['documentation']);
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

const MAX_DEPTH = 20;

function addFacts(
  node: ModelNode,
  path: string,
  facts: Map<string, string>,
  level: number,
  discriminator?: string,
): void {
  if (level > MAX_DEPTH) return;
  if (node.$descriptor?.isGeneric === true) return addGenericFacts(node, path, facts, level, discriminator);
  for (const [name, value] of Object.entries(node.$attrs ?? {}))
    if (!name.startsWith('xmlns')) setFact(facts, joinPath(path, name), value);
  for (const { name, isReference, isVirtual } of node.$descriptor?.properties ?? []) {
    if (
      isVirtual === true ||
      !Object.hasOwn(node, name) ||
      OMITTED_PROPERTIES.has(name) ||
      (name === 'id' && path === '')
    )
      continue;
    const value = node[name];
    if (name === 'extensionElements' && isNode(value))
      addChildFacts([value['values']].flat().filter(isNode), path, facts, level);
    else if (isReference === true)
      setFact(
        facts,
        joinPath(path, name),
        [value]
          .flat()
          .map((each) => (isNode(each) ? each['id'] : each))
          .join(', '),
      );
    else {
      const nodes = [value]
        .flat()
        .filter(isNode)
        .filter((each) => !(TRACKED_TYPES.test(each.$type) && !each.$type.endsWith('EventDefinition')));
      if (nodes.length > 0) addChildFacts(nodes, path === '' ? '' : path, facts, level, name);
      else if (!isNode(value)) setFact(facts, joinPath(path, name), value);
    }
  }
}

function addGenericFacts(
  node: ModelNode,
  path: string,
  facts: Map<string, string>,
  level: number,
  discriminator: string | undefined,
): void {
  // An element without content still has a fact, because its presence may have a meaning.
  if (Object.keys(node).every((name) => name.startsWith('$') || name === discriminator) && node.$children === undefined)
    setFact(facts, path, node.$body ?? '✓');
  for (const [name, value] of Object.entries(node)) {
    if (name === discriminator) continue;
    if (name.startsWith('$') && name !== '$body') continue;
    if (typeof value === 'string') setFact(facts, name === '$body' ? path : joinPath(path, name), value);
  }
  addChildFacts(node.$children ?? [], path, facts, level);
}

function addChildFacts(
  nodes: readonly ModelNode[],
  path: string,
  facts: Map<string, string>,
  level: number,
  property?: string,
): void {
  const occurrences = new Map<string, number>();
  for (const node of nodes) {
    const kind = property === undefined || property === 'eventDefinitions' ? removePrefix(node.$type) : property;
    const discriminator = DISCRIMINATORS.find(
      (name) => typeof node[name] === 'string' && node.$descriptor?.isGeneric === true,
    );
    const key = discriminator === undefined ? kind : `${kind}[${discriminator}=${String(node[discriminator])}]`;
    const occurrence = (occurrences.get(key) ?? 0) + 1;
    occurrences.set(key, occurrence);
    const childPath = joinPath(path, occurrence === 1 ? key : `${key}#${occurrence}`);
    // An element without content still has a fact, for example `terminateEventDefinition`.
    if (property === 'eventDefinitions' || property === 'loopCharacteristics')
      setFact(facts, childPath, toUnprefixedType(node.$type));
    addFacts(node, childPath, facts, level + 1, discriminator);
  }
}

/** Removes the prefixes `bpmn` and `zeebe`, which nearly all types have. */
function removePrefix(type: string): string {
  return type.replace(/^(bpmn|zeebe):/, '');
}

function setFact(facts: Map<string, string>, path: string, value: unknown): void {
  if (value !== undefined && value !== null && value !== '')
    facts.set(path, typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean));
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function readDocumentation(documentation: unknown): string | undefined {
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
