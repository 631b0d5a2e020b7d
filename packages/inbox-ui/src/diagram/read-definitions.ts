import { followSchema, withWideCharacters } from '@countersign/bpmn/reader';
import { BpmnModdle } from 'bpmn-moddle';
import { escapeModelLabels } from './escape-model-labels.js';

/** So many files are kept read: the versions that somebody goes back and forth between. */
const KEPT = 4;
const read = new Map<string, Promise<object>>();

/**
 * Reads a BPMN file, once for the diagram and all that stands beside it, to be looked at: names and labels name what
 * nobody would see. What comes of it is shared: nobody may change what the model says. (bpmn-js adds to how it is drawn.)
 *
 * @throws {Error} where it is no XML.
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

/** Reads a BPMN file as it is written, for nobody else: to compare it. @throws {Error} where it is no XML. */
export async function parseDefinitions(xml: string): Promise<object> {
  return (await parse(xml)).rootElement;
}

function parse(xml: string): ReturnType<BpmnModdle['fromXML']> {
  return new BpmnModdle().fromXML(withWideCharacters(xml), 'bpmn:Definitions', { handler: followSchema() });
}
