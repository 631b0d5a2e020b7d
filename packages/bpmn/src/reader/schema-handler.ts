import { collapseWhiteSpace, readBoolean, readInteger, stripPrefix, type Namespaces } from './schema-values.js';

/** The part of moddle-xml's readers that is used here; it has no types. Each reader reads one element. */
interface ElementReader {
  context: ReadingContext;
  /** The element, set when its start tag has been read; in a reader of references, the reference. */
  element?: { id?: string; element?: CreatedElement };
  body?: string;
  readonly type?: { readonly $descriptor: Descriptor };
  createElement(node: XmlNode): object;
  handleChild(node: XmlNode): object;
  handleNode(node: XmlNode): object;
  handleEnd(): void;
  handler(type: string): ElementReader;
  referenceHandler(property: Property): ElementReader;
  valueHandler(property: Property, element: object): ElementReader;
}

interface XmlNode {
  readonly attributes: Readonly<Record<string, string>>;
  readonly ns: Namespaces;
}

interface Property {
  readonly name: string;
  readonly type: string;
  readonly isMany?: boolean;
  readonly isReference?: boolean;
}

interface Descriptor {
  readonly ns: { readonly prefix: string };
  readonly propertiesByName: Readonly<Record<string, Property | undefined>>;
  readonly idProperty?: { readonly name: string };
}

interface CreatedElement {
  readonly $descriptor: Descriptor;
  get(name: string): unknown;
  set(name: string, value: unknown): void;
}

interface Reference {
  id: string;
}

export interface ReadingWarning {
  readonly message: string;
  readonly element?: unknown;
  readonly property?: string;
  readonly value?: unknown;
}

/** State shared by all readers of one file. */
export interface ReadingContext {
  readonly elementsById: Record<string, object>;
  readonly references: Reference[];
  addElement(element: CreatedElement): void;
  addReference(reference: Reference): void;
  addWarning(warning: ReadingWarning): void;
}

interface Reader {
  handler(this: Reader, typeName: string): ElementReader;
}

/** The namespaces of the element whose tag is being read, and the namespace of the model. */
const namespaceScopes = new WeakMap<ReadingContext, { namespaces: Namespaces; target: string | undefined }>();

/**
 * Returns the option `handler` for moddle's `fromXML`. It reads values according to the XML schemas of BPMN and DMN
 * (XML Schema part 2): white space around ids, references, URIs, booleans and integers is ignored (4.3.6), `1` and `0`
 * are booleans (3.2.2), ids are NCNames of any script, and references may be qualified by the namespace of the model
 * (3.2.18). moddle supports none of this. Empty references, as written by tools, are ignored.
 *
 * moddle has no hooks for values, but its options can replace the methods of a reader. The replaced `handler` patches
 * each element reader when it is created.
 *
 * @param onContext called before anything is read
 */
export function createSchemaHandler(onContext: (context: ReadingContext) => void = () => undefined): Reader['handler'] {
  return function handler(this: Reader, typeName: string): ElementReader {
    const prototype = Object.getPrototypeOf(this) as Reader;
    const root = patchReader(prototype.handler.call(this, typeName));
    let context: ReadingContext;
    Object.defineProperty(root, 'context', {
      get: () => context,
      set: (value: ReadingContext) => {
        context = value;
        context.addElement = addElement;
        context.addReference = addReference;
        onContext(context);
      },
    });
    return root;
  };
}

function patchReader(reader: ElementReader): ElementReader {
  reader.createElement = createElement;
  reader.handleChild = handleChild;
  reader.handler = createChildReader;
  reader.referenceHandler = createReferenceReader;
  reader.valueHandler = createValueReader;
  return reader;
}

/** Returns the moddle method that one of the functions below replaces in a reader. */
function getOriginalMethod<K extends keyof ElementReader>(reader: ElementReader, method: K): ElementReader[K] {
  return (Object.getPrototypeOf(reader) as ElementReader)[method];
}

function createElement(this: ElementReader, node: XmlNode): object {
  if (!namespaceScopes.has(this.context)) {
    // Set by the root element: `targetNamespace` in BPMN, `namespace` in DMN.
    const target = node.attributes['targetNamespace'] ?? node.attributes['namespace'];
    namespaceScopes.set(this.context, {
      namespaces: node.ns,
      target: target === undefined ? undefined : collapseWhiteSpace(target),
    });
  }
  if (this.type === undefined) return getOriginalMethod(this, 'createElement').call(this, node);
  const { $descriptor } = this.type;
  const { attributes, warnings } = readAttributes(node.attributes, $descriptor);
  const element = getOriginalMethod(this, 'createElement').call(this, { ...node, attributes });
  // Errors in the diagram do not affect the execution.
  if (!DIAGRAM_PREFIXES.has($descriptor.ns.prefix))
    for (const warning of warnings) this.context.addWarning({ ...warning, element });
  return element;
}

const DIAGRAM_PREFIXES: ReadonlySet<string> = new Set(['bpmndi', 'dmndi', 'di', 'dc', 'biodi']);

/** Attributes of the type `anyURI`, which moddle treats as strings. */
const URI_ATTRIBUTES: ReadonlySet<string> = new Set([
  'expressionLanguage',
  'href',
  'language',
  'namespace',
  'targetNamespace',
  'typeLanguage',
]);

function readAttributes(
  attributes: XmlNode['attributes'],
  { propertiesByName, idProperty }: Descriptor,
): { attributes: XmlNode['attributes']; warnings: readonly ReadingWarning[] } {
  const normalizedAttributes: Record<string, string> = {};
  const warnings: ReadingWarning[] = [];
  for (const [name, text] of Object.entries(attributes)) {
    const property = propertiesByName[name];
    if (property === undefined) normalizedAttributes[name] = text;
    else if (property.isReference === true || URI_ATTRIBUTES.has(name) || property.name === idProperty?.name) {
      const value = collapseWhiteSpace(text);
      // An empty reference has no target; some tools write `default=""`.
      if (value !== '') normalizedAttributes[name] = value;
    } else {
      const value = readValue(property, text);
      if (value === undefined) warnings.push(createIllegalValueWarning(property, text));
      // A deployed file is read despite the warning, as by moddle: everything except "true" is false.
      normalizedAttributes[name] = value ?? text;
    }
  }
  return { attributes: normalizedAttributes, warnings };
}

/**
 * Returns a value in the form that moddle reads correctly; `undefined` if it does not have the type of the property.
 */
function readValue({ type }: Property, text: string): string | undefined {
  if (type === 'Boolean') return readBoolean(text);
  return type === 'Integer' ? readInteger(text) : text;
}

function createIllegalValueWarning({ name, type }: Property, value: string): ReadingWarning {
  return { message: type === 'Boolean' ? 'illegal boolean' : 'illegal integer', property: name, value };
}

/**
 * Reads a child in its own namespace scope, which a reference needs immediately. Also normalizes `xsi:type`, a QName
 * that moddle reads before it creates the element.
 */
function handleChild(this: ElementReader, node: XmlNode): object {
  const target = namespaceScopes.get(this.context)?.target;
  namespaceScopes.set(this.context, { namespaces: node.ns, target });
  const type = node.attributes['xsi:type'];
  const normalizedNode =
    type === undefined ? node : { ...node, attributes: { ...node.attributes, 'xsi:type': collapseWhiteSpace(type) } };
  return getOriginalMethod(this, 'handleChild').call(this, normalizedNode);
}

function createChildReader(this: ElementReader, type: string): ElementReader {
  const reader = getOriginalMethod(this, 'handler').call(this, type);
  // Foreign elements have no type.
  return type === 'Element' ? reader : patchReader(reader);
}

function createReferenceReader(this: ElementReader, property: Property): ElementReader {
  const reader = getOriginalMethod(this, 'referenceHandler').call(this, property);
  reader.handleEnd = function handleEnd(this: ElementReader) {
    if (collapseWhiteSpace(this.body ?? '') === '') removeReference(this, property);
    else getOriginalMethod(this, 'handleEnd').call(this);
  };
  return reader;
}

/** Removes an empty reference from its element and from the references to resolve. */
function removeReference({ context, element: reference }: ElementReader, property: Property): void {
  const owner = reference?.element;
  const references = owner?.get(property.name);
  if (Array.isArray(references)) references.splice(references.indexOf(reference), 1);
  else owner?.set(property.name, undefined);
  context.references.splice(context.references.lastIndexOf(reference as Reference), 1);
}

function createValueReader(this: ElementReader, property: Property, element: object): ElementReader {
  const reader = getOriginalMethod(this, 'valueHandler').call(this, property, element);
  const { context } = this;
  reader.handleEnd = function handleEnd(this: ElementReader) {
    const [text, value] = [this.body ?? '', readValue(property, this.body ?? '')];
    if (value === undefined) context.addWarning({ ...createIllegalValueWarning(property, text), element });
    else getOriginalMethod(Object.assign(this, { body: value }), 'handleEnd').call(this);
  };
  return reader;
}

// XML 1.0, 2.3 and Namespaces in XML, 3 (NCName); moddle has always allowed qualified ids.
const NAME_START =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF' +
  '\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const NCNAME = `[${NAME_START}][${NAME_START}.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040-]*`;
// The ranges are those of the standard. Each of their characters, even a combining one, is matched separately.
// eslint-disable-next-line no-misleading-character-class
const ID_PATTERN = new RegExp(`^(?:${NCNAME}:)?${NCNAME}$`, 'u');

/**
 * Registers an element under its id.
 *
 * @throws {Error} if the id is invalid or already in use. The message is the same as in moddle, which then stops
 *   reading the element
 */
function addElement(this: ReadingContext, element: CreatedElement): void {
  const { idProperty } = element.$descriptor;
  const id = idProperty === undefined ? undefined : element.get(idProperty.name);
  if (typeof id !== 'string' || id === '') return;
  if (!ID_PATTERN.test(id) || id in Object.prototype) throw new Error(`illegal ID <${id}>`);
  if (this.elementsById[id] !== undefined) throw new Error(`duplicate ID <${id}>`);
  this.elementsById[id] = element;
}

/** Adds a reference. Its id is resolved when all elements are known. */
function addReference(this: ReadingContext, reference: Reference): void {
  const { elementsById } = this;
  const { namespaces, target } = namespaceScopes.get(this) ?? { namespaces: {}, target: undefined };
  let id = reference.id;
  Object.defineProperty(reference, 'id', {
    enumerable: true,
    get: () => (elementsById[id] === undefined ? stripPrefix(id, namespaces, target) : id),
    set: (text: string) => (id = collapseWhiteSpace(text)),
  });
  this.references.push(reference);
}
