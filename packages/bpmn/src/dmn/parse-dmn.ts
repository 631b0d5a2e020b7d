import { DmnModdle } from 'dmn-moddle';
import { readElements, type ModdleElement } from '../moddle.js';
import { parseXml, type ModelFormat } from '../parse-xml.js';
import type { Problems } from '../problems.js';

/** Boxed expressions (DMN 1.3, 7.3 and 8.3): a DMN decision has one of them. */
const LOGIC_ELEMENTS: ReadonlySet<string> = new Set([
  'context',
  'decisionTable',
  'functionDefinition',
  'invocation',
  'list',
  'literalExpression',
  'relation',
]);

/** Children that may occur at most once in any element. */
const SINGLETON_ELEMENTS: ReadonlySet<string> = new Set([
  'defaultOutputEntry',
  'description',
  'extensionElements',
  'inputExpression',
  'inputValues',
  'outputValues',
  'text',
  'variable',
]);

function getDmnSingletonKey(parent: string, child: string): string | undefined {
  if (parent === 'decision' && LOGIC_ELEMENTS.has(child)) return 'boxed expression';
  if (parent === 'informationRequirement' && child.startsWith('required')) return 'requirement';
  return SINGLETON_ELEMENTS.has(child) ? child : undefined;
}

const DMN_FORMAT: ModelFormat = {
  name: 'DMN 1.3',
  mismatchCode: 'not_dmn',
  advice:
    'Only DMN 1.3 is supported (namespace https://www.omg.org/spec/DMN/20191111/MODEL/). Camunda Modeler writes it since ' +
    'version 4; to convert an older file, open and save it there.',
  getSingletonKey: getDmnSingletonKey,
  read: (xml) => readElements(new DmnModdle(), 'dmn:Definitions', xml),
};

/**
 * Parses a DMN file, with the same protection against hostile XML as BPMN files.
 *
 * @throws {ModelRefusedError} with all problems found
 */
export function parseDmn(source: string | Uint8Array, problems: Problems): Promise<ModdleElement> {
  return parseXml(source, problems, DMN_FORMAT);
}
