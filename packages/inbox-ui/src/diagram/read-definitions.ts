import { followSchema, withWideCharacters } from '@countersign/bpmn/reader';
import { BpmnModdle } from 'bpmn-moddle';
import { escapeModelLabels } from './escape-model-labels.js';

/** Number of parsed files that are cached, for users who switch between versions. */
const KEPT = 4;
const read = new Map<string, Promise<object>>();

/**
 * Parses a BPMN file for display, once for the diagram and the views next to it. Escapes invisible characters in names
 * and labels. The result is shared: callers must not change the model. (bpmn-js adds drawing data.)
 *
 * @throws {Error} if the text is not XML.
 */
export function readDefinitions(xml: string): Promise<object> {
  const known = read.get(xml);
  if (known !== undefined) return known;
  const definitions = parse(xml).then(({ rootElement, elementsById }) => {
    escapeModelLabels(elementsById);
    return rootElement;
  });
  read.set(xml, definitions);
  for (const [oldest] of read) if (read.size > KEPT) read.delete(oldest);
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
  return new BpmnModdle().fromXML(withWideCharacters(xml), 'bpmn:Definitions', { handler: followSchema() });
}
