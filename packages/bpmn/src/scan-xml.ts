import { MODEL_LIMITS } from './limits.js';
import type { Problems } from './problems.js';
import { XmlCursor, XmlError } from './xml-cursor.js';
import { XmlText } from './xml-text.js';

/** Result of {@link scanXml}. */
export interface ScannedXml {
  /** The XML for the reader, with normalized values: see {@link XmlCursor}. */
  readonly xml: string;
  /** Line (from 1) of the first element with an id. */
  readonly lines: ReadonlyMap<string, number>;
}

const SUPPORTED_ENCODINGS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);

/**
 * Checks that a text is well-formed XML 1.0 within {@link MODEL_LIMITS}, in one pass and without recursion.
 *
 * The reader that runs afterwards (moddle's saxen) repairs XML that is not well-formed. A model with a meaning that its
 * author did not intend must not be deployed, so the reader must not receive such XML. DOCTYPE is always refused:
 * without it, a model cannot declare entities, so entity expansion attacks and external files are impossible.
 *
 * @returns `undefined` after the first error, which is recorded; the text after it cannot be trusted
 */
export function scanXml(
  text: string,
  problems: Problems,
  getSingletonKey: SingletonRule = getBpmnSingletonKey,
): ScannedXml | undefined {
  const source = new XmlText(text);
  try {
    const offsets = scan(new XmlCursor(source), getSingletonKey);
    return {
      xml: source.toPatchedText(),
      lines: new Map([...offsets].map(([id, offset]) => [id, source.getLine(offset)])),
    };
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    problems.add(null, error.code, error.message, source.getLine(error.offset));
    return undefined;
  }
}

interface OpenElement {
  readonly name: string;
  children: number;
  /** Keys of the children read so far that may occur only once: see {@link SingletonRule}. */
  readonly singletonKeys: Set<string>;
}

/**
 * Function that returns a key for a child that the schema allows only once per parent, or `undefined` if it may occur
 * any number of times. Children with the same key exclude each other; the reader would silently keep only the last of
 * them. The arguments are local names.
 */
export type SingletonRule = (parent: string, child: string) => string | undefined;

const SINGLETON_ELEMENTS: ReadonlySet<string> = new Set([
  'extensionElements',
  'conditionExpression',
  'ioSpecification',
  'multiInstanceLoopCharacteristics',
  'standardLoopCharacteristics',
  'timeDate',
  'timeDuration',
  'timeCycle',
  'loopCondition',
  'loopCardinality',
  'completionCondition',
  'activationCondition',
  'childLaneSet',
]);

const LOOP_MARKERS: ReadonlySet<string> = new Set(['standardLoopCharacteristics', 'multiInstanceLoopCharacteristics']);

function getBpmnSingletonKey(_parent: string, child: string): string | undefined {
  if (LOOP_MARKERS.has(child)) return 'loop marker';
  return SINGLETON_ELEMENTS.has(child) ? child : undefined;
}

/**
 * Returns the position of the first element with each id.
 *
 * @throws {XmlError} if the text is not well-formed XML within the limits
 */
export function locateIds(text: string): ReadonlyMap<string, { readonly line: number; readonly column: number }> {
  const source = new XmlText(text);
  const offsets = scan(new XmlCursor(source), () => undefined);
  return new Map([...offsets].map(([id, offset]) => [id, source.getPosition(offset)]));
}

/** Returns the offset of the first element with each id. */
function scan(cursor: XmlCursor, getSingletonKey: SingletonRule): ReadonlyMap<string, number> {
  cursor.checkCharacters();
  checkDeclaration(cursor);
  const offsets = new Map<string, number>();
  const openElements: OpenElement[] = [];
  const count = { elements: 0, namespaces: 0 };
  for (;;) {
    const isInsideRoot = openElements.length > 0;
    if (!cursor.skipText(isInsideRoot)) break;
    if (cursor.skipComment() || cursor.skipInstruction() || cursor.skipCdata(isInsideRoot)) continue;
    cursor.assertNoMarkupDeclaration();
    const closedName = cursor.readCloseTag();
    if (closedName !== undefined) {
      const expected = openElements.pop()?.name;
      if (expected === closedName) continue;
      throw cursor.createError(
        expected === undefined
          ? `</${closedName}> has no start tag`
          : `found </${closedName}>, but expected </${expected}>`,
      );
    }
    if (!isInsideRoot && count.elements > 0) throw cursor.createError('a second root element');
    openElement(cursor, openElements, count, offsets, getSingletonKey);
  }
  const unclosed = openElements.at(-1);
  if (unclosed !== undefined) throw cursor.createError(`the file ends before </${unclosed.name}>`);
  if (count.elements === 0) throw cursor.createError('the file has no root element');
  return offsets;
}

function openElement(
  cursor: XmlCursor,
  openElements: OpenElement[],
  count: { elements: number; namespaces: number },
  offsets: Map<string, number>,
  getSingletonKey: SingletonRule,
): void {
  count.elements += 1;
  if (count.elements > MODEL_LIMITS.elements)
    throw cursor.createLimitError(`more than ${MODEL_LIMITS.elements} XML elements`);
  const parent = openElements.at(-1);
  if (parent !== undefined) {
    parent.children += 1;
    if (parent.children > MODEL_LIMITS.children) {
      throw cursor.createLimitError(`more than ${MODEL_LIMITS.children} children in one <${parent.name}>`);
    }
  }
  const tag = cursor.readOpenTag();
  const singletonKey =
    parent === undefined ? undefined : getSingletonKey(getLocalName(parent.name), getLocalName(tag.elementName));
  if (parent !== undefined && singletonKey !== undefined) {
    if (parent.singletonKeys.has(singletonKey)) {
      const description =
        singletonKey === getLocalName(tag.elementName)
          ? `<${tag.elementName}>`
          : `${singletonKey}: <${tag.elementName}> is another`;
      throw new XmlError('duplicate_element', `<${parent.name}> has more than one ${description}.`, tag.offset);
    }
    parent.singletonKeys.add(singletonKey);
  }
  count.namespaces += tag.namespaceCount;
  if (count.namespaces > MODEL_LIMITS.namespaces) {
    throw cursor.createLimitError(`more than ${MODEL_LIMITS.namespaces} namespace declarations`);
  }
  if (tag.id !== undefined && !offsets.has(tag.id)) offsets.set(tag.id, tag.offset);
  if (tag.isSelfClosing) return;
  openElements.push({ name: tag.elementName, children: 0, singletonKeys: new Set() });
  if (openElements.length > MODEL_LIMITS.depth)
    throw cursor.createLimitError(`elements nested more than ${MODEL_LIMITS.depth} levels deep`);
}

function getLocalName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Checks the XML declaration. XML 1.0, 2.8 and 4.3.3: it is optional and comes first; the bytes were read as UTF-8. */
function checkDeclaration(cursor: XmlCursor): void {
  const declaration = cursor.readDeclaration();
  if (declaration === undefined) return;
  const version = /\sversion\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(declaration);
  if ((version?.[1] ?? version?.[2]) !== '1.0') throw cursor.createError('only XML 1.0 is supported');
  const encodingMatch = /\sencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(declaration);
  const encoding = encodingMatch?.[1] ?? encodingMatch?.[2];
  if (encoding !== undefined && !SUPPORTED_ENCODINGS.has(encoding.toLowerCase())) {
    throw new XmlError(
      'unsupported_encoding',
      `The model declares the encoding ${encoding}; only UTF-8 is supported.`,
      0,
    );
  }
}
