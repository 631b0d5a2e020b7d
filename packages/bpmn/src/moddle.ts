import { createRequire } from 'node:module';
import { BpmnModdle } from 'bpmn-moddle';
import { followSchema, withWideCharacters } from './reader/index.js';

/**
 * The little of moddle that the compiler uses, with types. moddle itself has none: everything that comes out of it is
 * `unknown` until one of the functions below has looked at it.
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

/** Warnings after which reading ends: for each one the reader counts lines from the start of the file. */
const MAX_WARNINGS = 100;

class TooManyWarnings extends Error {}

/** Made once, as that takes longer than reading most models. What a file holds stays with its reading. */
const bpmn = new BpmnModdle({ zeebe });

/** Reads BPMN XML into objects; see {@link readElements}. */
export function readModdle(xml: string): Promise<ModdleResult> {
  return readElements(bpmn, 'bpmn:Definitions', xml);
}

/** A metamodel of moddle that reads XML: BPMN's or DMN's. */
export interface Metamodel {
  fromXML(xml: string, typeName: string, options: object): Promise<object>;
}

/** Reads XML into objects. Rejects where that can't be done at all; `warnings` tell what was not understood. */
export async function readElements(metamodel: Metamodel, rootType: string, xml: string): Promise<ModdleResult> {
  const warnings: ModdleWarning[] = [];
  const handler = followSchema((context) => {
    // moddle has no other way to stop at the hundredth warning.
    context.addWarning = (warning) => {
      warnings.push(warning);
      if (warnings.length >= MAX_WARNINGS) throw new TooManyWarnings('too many warnings');
    };
  });
  try {
    const result = await metamodel.fromXML(withWideCharacters(xml), rootType, { handler });
    return { ...(result as ModdleResult), warnings };
  } catch (error) {
    if (!(error instanceof TooManyWarnings)) throw error;
    const warning = { message: `reading ended after ${MAX_WARNINGS} things that are not understood` };
    return { rootElement: { $type: rootType }, references: [], warnings: [...warnings, warning] };
  }
}

/** Whether a value is an element that moddle made. */
export function isElement(value: unknown): value is ModdleElement {
  return typeof value === 'object' && value !== null && typeof (value as { $type?: unknown }).$type === 'string';
}

/** A text attribute or body, as it stands in the XML. */
export function textOf(element: ModdleElement, property: string): string | undefined {
  const value = element[property];
  return typeof value === 'string' ? value : undefined;
}

export function flagOf(element: ModdleElement, property: string): boolean | undefined {
  const value = element[property];
  return typeof value === 'boolean' ? value : undefined;
}

export function elementOf(element: ModdleElement, property: string): ModdleElement | undefined {
  const value = element[property];
  return isElement(value) ? value : undefined;
}

export function elementsOf(element: ModdleElement, property: string): readonly ModdleElement[] {
  const value = element[property];
  return Array.isArray(value) ? value.filter(isElement) : [];
}

/** The id, or `null` where the element has none. */
export function idOf(element: ModdleElement): string | null {
  return textOf(element, 'id') ?? null;
}

/** `bpmn:ServiceTask` → `serviceTask`, `dmn:Decision` → `decision`; extension elements keep their prefix: `zeebe:taskDefinition`. */
export function tagOf(element: ModdleElement): string {
  const [prefix = '', name = ''] = element.$type.split(':');
  const tag = name.charAt(0).toLowerCase() + name.slice(1);
  return prefix === 'bpmn' || prefix === 'dmn' ? tag : `${prefix}:${tag}`;
}

/**
 * Names of the properties that the XML sets (not the metamodel's defaults), without moddle's own. References are not
 * enumerable in moddle.
 */
export function setProperties(element: ModdleElement): readonly string[] {
  return Object.getOwnPropertyNames(element).filter((name) => !name.startsWith('$'));
}

/** Declarations of namespaces (moddle writes the default one as `:xmlns`) and the type of an element. */
const OF_XML = /^(?::?xmlns(?::.*)?|xsi:type)$/;

/** Whether the XML has attributes or children on an element that its metamodel does not know: those of other namespaces. */
export function hasUnknown(element: ModdleElement): boolean {
  const attributes = element['$attrs'];
  const children = element['$children'];
  return (
    (typeof attributes === 'object' &&
      attributes !== null &&
      Object.keys(attributes).some((name) => !OF_XML.test(name))) ||
    (Array.isArray(children) && children.length > 0)
  );
}
