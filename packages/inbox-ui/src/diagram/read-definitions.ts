import { createSchemaHandler, decodeWideCharacters } from '@countersign/bpmn/reader';
import { BpmnModdle } from 'bpmn-moddle';
import { escapeDiagramLabels } from './escape-diagram-labels.js';

/** Number of parsed files that are cached, for users who switch between versions. */
const MAX_CACHED_FILES = 4;
const definitionsCache = new Map<string, Promise<object>>();

/**
 * Parses a BPMN file for display, once for the diagram and the views next to it. Escapes invisible characters in names
 * and labels. The result is shared: callers must not change it. (bpmn-js adds drawing data.)
 *
 * @throws {Error} if the text is not XML.
 */
export function readDefinitions(xml: string): Promise<object> {
  const cached = definitionsCache.get(xml);
  if (cached !== undefined) return cached;
  const definitions = parse(xml).then(({ rootElement, elementsById }) => {
    escapeDiagramLabels(elementsById);
    return rootElement;
  });
  definitionsCache.set(xml, definitions);
  for (const [oldest] of definitionsCache)
    if (definitionsCache.size > MAX_CACHED_FILES) definitionsCache.delete(oldest);
  return definitions;
}

/**
 * Parses a BPMN file unchanged and uncached, for comparison.
 *
 * @throws {Error} if the text is not XML.
 */
export async function parseDefinitions(xml: string): Promise<object> {
  return (await parse(xml)).rootElement;
}

function parse(xml: string): ReturnType<BpmnModdle['fromXML']> {
  return new BpmnModdle().fromXML(decodeWideCharacters(xml), 'bpmn:Definitions', { handler: createSchemaHandler() });
}
