import { createRequire } from 'node:module';
import { BpmnModdle } from 'bpmn-moddle';
import { createSchemaHandler, decodeWideCharacters } from './reader/index.js';

/**
 * An element that moddle created. moddle has no type declarations: every property is `unknown` until one of the
 * functions below has checked it.
 */
export interface ModdleElement {
  /** For example `bpmn:ServiceTask`. */
  readonly $type: string;
  readonly [property: string]: unknown;
}

export interface ModdleWarning {
  readonly message: string;
  readonly element?: unknown;
  readonly property?: string;
  readonly value?: unknown;
}

export interface ModdleReference {
  readonly element: unknown;
  readonly property: string;
  readonly id: string;
}

export interface ModdleResult {
  readonly rootElement: ModdleElement;
  readonly references: readonly ModdleReference[];
  readonly warnings: readonly ModdleWarning[];
}

const zeebe = createRequire(import.meta.url)('zeebe-bpmn-moddle/resources/zeebe.json') as object;

/**
 * Maximum number of warnings, after which reading stops: for each warning, the reader counts lines from the start of
 * the file.
 */
const MAX_WARNINGS = 100;

class TooManyWarnings extends Error {}

/**
 * Created once, because creating it takes longer than reading most models. It stores no data from the files that it
 * reads.
 */
const bpmn = new BpmnModdle({ zeebe });

/** Parses BPMN XML into objects; see {@link readElements}. */
export function readModdle(xml: string): Promise<ModdleResult> {
  return readElements(bpmn, 'bpmn:Definitions', xml);
}

/** A moddle metamodel, of BPMN or DMN, that can parse XML. */
export interface Metamodel {
  fromXML(xml: string, typeName: string, options: object): Promise<object>;
}

/**
 * Parses XML into objects. Rejects if the XML cannot be parsed; `warnings` lists the parts that moddle did not
 * recognize.
 */
export async function readElements(metamodel: Metamodel, rootType: string, xml: string): Promise<ModdleResult> {
  const warnings: ModdleWarning[] = [];
  const handler = createSchemaHandler((context) => {
    // An exception is the only way to stop moddle after the maximum number of warnings.
    context.addWarning = (warning) => {
      warnings.push(warning);
      if (warnings.length >= MAX_WARNINGS) throw new TooManyWarnings('too many warnings');
    };
  });
  try {
    const result = await metamodel.fromXML(decodeWideCharacters(xml), rootType, { handler });
    return { ...(result as ModdleResult), warnings };
  } catch (error) {
    if (!(error instanceof TooManyWarnings)) throw error;
    const warning = { message: `reading stopped after ${MAX_WARNINGS} problems` };
    return { rootElement: { $type: rootType }, references: [], warnings: [...warnings, warning] };
  }
}

/** Returns whether a value is an element created by moddle. */
export function isElement(value: unknown): value is ModdleElement {
  return typeof value === 'object' && value !== null && typeof (value as { $type?: unknown }).$type === 'string';
}

/** Returns a text attribute or body, as written in the XML. */
export function getString(element: ModdleElement, property: string): string | undefined {
  const value = element[property];
  return typeof value === 'string' ? value : undefined;
}

export function getBoolean(element: ModdleElement, property: string): boolean | undefined {
  const value = element[property];
  return typeof value === 'boolean' ? value : undefined;
}

export function getElement(element: ModdleElement, property: string): ModdleElement | undefined {
  const value = element[property];
  return isElement(value) ? value : undefined;
}

export function getElements(element: ModdleElement, property: string): readonly ModdleElement[] {
  const value = element[property];
  return Array.isArray(value) ? value.filter(isElement) : [];
}

/** Returns the id, or `null` if the element has none. */
export function getId(element: ModdleElement): string | null {
  return getString(element, 'id') ?? null;
}

/**
 * Returns the tag of an element: `bpmn:ServiceTask` → `serviceTask`, `dmn:Decision` → `decision`; extension elements
 * keep their prefix: `zeebe:taskDefinition`.
 */
export function getTag(element: ModdleElement): string {
  const [prefix = '', name = ''] = element.$type.split(':');
  const tag = name.charAt(0).toLowerCase() + name.slice(1);
  return prefix === 'bpmn' || prefix === 'dmn' ? tag : `${prefix}:${tag}`;
}

/**
 * Returns the names of the properties that the XML sets (not the metamodel's defaults), without moddle's `$`
 * properties. Includes references, which moddle defines as not enumerable.
 */
export function listPropertyNames(element: ModdleElement): readonly string[] {
  return Object.getOwnPropertyNames(element).filter((name) => !name.startsWith('$'));
}

/** Matches namespace declarations (moddle writes the default one as `:xmlns`) and `xsi:type`. */
const XML_ATTRIBUTE = /^(?::?xmlns(?::.*)?|xsi:type)$/;

/**
 * Returns whether an element has attributes or children of other namespaces, which its metamodel does not define.
 */
export function hasUnknownContent(element: ModdleElement): boolean {
  const attributes = element['$attrs'];
  const children = element['$children'];
  return (
    (typeof attributes === 'object' &&
      attributes !== null &&
      Object.keys(attributes).some((name) => !XML_ATTRIBUTE.test(name))) ||
    (Array.isArray(children) && children.length > 0)
  );
}
