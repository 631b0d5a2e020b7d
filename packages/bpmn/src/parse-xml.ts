import { MODEL_LIMITS } from './limits.js';
import {
  getId,
  isElement,
  readModdle,
  getTag,
  type ModdleElement,
  type ModdleResult,
  type ModdleWarning,
} from './moddle.js';
import type { Problems } from './problems.js';
import { scanXml, type SingletonRule } from './scan-xml.js';

/** A format of model files. */
export interface ModelFormat {
  /** Display name, for example `BPMN 2.0`. */
  readonly name: string;
  /** The problem code for a file of another format. */
  readonly mismatchCode: string;
  /** Advice that is appended to the error message for a file of another format. */
  readonly advice?: string;
  readonly getSingletonKey?: SingletonRule;
  read(xml: string): Promise<ModdleResult>;
}

const BPMN_FORMAT: ModelFormat = { name: 'BPMN 2.0', mismatchCode: 'not_bpmn', read: readModdle };

/**
 * Parses a model file. Content of foreign namespaces is ignored (BPMN 2.0, 8.2.3, and DMN, "Extensibility"); any other
 * unknown content is refused.
 *
 * @param isDeployed whether the file was deployed before, possibly by a version that did not check booleans and
 * integers
 * @throws {ModelRefusedError} if the file is not XML of its format, or an element or attribute is unknown
 */
export async function parseXml(
  source: string | Uint8Array,
  problems: Problems,
  format: ModelFormat = BPMN_FORMAT,
  isDeployed = false,
): Promise<ModdleElement> {
  const text = decode(source, problems);
  problems.throwIfAny();
  const scanned = scanXml(text, problems, format.getSingletonKey);
  problems.throwIfAny();
  if (scanned === undefined) throw new Error('unreachable: a scan without a result records a problem');
  problems.setLines(scanned.lines);
  for (const id of scanned.lines.keys()) {
    if (id in Object.prototype) problems.add(id, 'reserved_id', `The id "${id}" is reserved and cannot be used.`);
  }
  problems.throwIfAny();

  const result = await format.read(scanned.xml).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    const advice = format.advice === undefined ? '' : ` ${format.advice}`;
    problems.add(
      null,
      format.mismatchCode,
      `This is not a ${format.name} model: ${message.replaceAll(/\s+/g, ' ')}.${advice}`,
    );
    return undefined;
  });
  for (const warning of result?.warnings ?? []) {
    if (isDeployed && warning.message.startsWith('illegal ')) continue;
    if (!isExternalReference(warning)) reportWarning(warning, problems);
  }
  for (const { element, property, id } of result?.references ?? []) {
    // The reader's dictionary is an object: it would resolve such an id to an inherited property.
    if (id in Object.prototype) reportUnresolvedReference(element, property, id, problems);
  }
  problems.throwIfAny();
  if (result === undefined) throw new Error('unreachable: a failed read records a problem');
  return result.rootElement;
}

function decode(source: string | Uint8Array, problems: Problems): string {
  const bytes = typeof source === 'string' ? Buffer.byteLength(source) : source.byteLength;
  if (bytes > MODEL_LIMITS.bytes) {
    problems.add(null, 'model_too_large', `The model has ${bytes} bytes; the limit is ${MODEL_LIMITS.bytes}.`);
    return '';
  }
  if (typeof source === 'string') return source.replace(/^\ufeff/, '');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(source);
  } catch {
    problems.add(null, 'unsupported_encoding', 'The model is not valid UTF-8.');
    return '';
  }
}

/**
 * Properties whose references may point to definitions in other files (data types, extension definitions, messages and
 * errors of service operations). The engine does not use them.
 */
const EXTERNAL_REFERENCES: ReadonlySet<string> = new Set([
  'bpmn:definition',
  'bpmn:errorRef',
  'bpmn:evaluatesToTypeRef',
  'bpmn:inMessageRef',
  'bpmn:itemSubjectRef',
  'bpmn:outMessageRef',
]);

function isExternalReference({ message, property, value, element }: ModdleWarning): boolean {
  if (!message.startsWith('unresolved reference') || property === undefined || !EXTERNAL_REFERENCES.has(property))
    return false;
  const isDefinition = property === 'bpmn:definition';
  const isOperationReference = property !== 'bpmn:errorRef' || (isElement(element) && getTag(element) === 'operation');
  return isOperationReference && (isDefinition || String(value).includes(':'));
}

const UNPARSABLE_WARNING = /^unparsable content (.*?) ?detected\s+line: (\d+)\s+column: \d+\s+nested error: (.*)$/s;

function reportWarning(warning: ModdleWarning, problems: Problems): void {
  const unparsable = UNPARSABLE_WARNING.exec(warning.message);
  if (unparsable !== null) {
    const [, content = '', line = '0', reason = ''] = unparsable;
    const id = /^(duplicate|illegal) ID <(.*)>$/s.exec(reason);
    const code = id === null ? 'unknown_element' : id[1] === 'duplicate' ? 'duplicate_id' : 'invalid_id';
    const message =
      id === null
        ? `${content.trim() || 'The content'} is not understood: ${reason}.`
        : id[1] === 'duplicate'
          ? `The id "${id[2] ?? ''}" is used more than once.`
          : `"${id[2] ?? ''}" is not a valid id (letters, digits, "_", "-" and "."; a letter or "_" first).`;
    problems.add(id?.[2] ?? null, code, message, Number(line) + 1);
    return;
  }
  if (warning.message.startsWith('unresolved reference') && warning.property !== undefined) {
    reportUnresolvedReference(warning.element, warning.property, String(warning.value), problems);
    return;
  }
  const owner = findNearestId(warning.element);
  const type = /^illegal (boolean|integer)$/.exec(warning.message)?.[1];
  if (type !== undefined) {
    const expected = type === 'boolean' ? '"true" or "false"' : 'a whole number';
    const message = `${warning.property ?? ''} must be ${expected}, but it is "${String(warning.value)}".`;
    problems.add(owner, `invalid_${type}`, message);
    return;
  }
  const code = warning.message.startsWith('unknown attribute') ? 'unknown_attribute' : 'not_understood';
  const location = isElement(warning.element) ? ` on ${getTag(warning.element)}` : '';
  problems.add(owner, code, `Not understood: ${warning.message}${location}.`);
}

function reportUnresolvedReference(element: unknown, property: string, id: string, problems: Problems): void {
  const elementLabel = isElement(element) ? `${getTag(element)} ` : '';
  const name = property.replace(/^(?:bpmn|dmn):/, '');
  problems.add(
    findNearestId(element),
    'unresolved_reference',
    `${elementLabel}${name} refers to "${id}", which does not exist.`,
  );
}

/** Returns the id of an element or of its nearest ancestor with an id. */
function findNearestId(element: unknown): string | null {
  for (let current = element; isElement(current); current = current['$parent']) {
    const id = getId(current);
    if (id !== null) return id;
  }
  return null;
}
