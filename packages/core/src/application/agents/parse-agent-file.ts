import { isMap, isNode, isPair, LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { type AgentDefinition, pathToPointer, formatSuggestion } from '@countersign/model';
import type { DefaultModel } from './agent-settings.js';
import { findInexactNumber, INEXACT_NUMBER_MESSAGE } from '../../contributions/find-inexact-number.js';
import { AgentFileSchema, toAgentDefinition } from './agent-file.js';

const MAX_ALIASES = 100;

/** Function that returns the line of a path in the file, or of its closest existing parent. */
export type LineLookup = (path: readonly PropertyKey[]) => number;

export type ParsedAgentFile =
  { readonly definition: AgentDefinition; readonly findLine: LineLookup } | { readonly problems: readonly string[] };

/**
 * Parses an agent definition. Each problem states the file and line and, if it concerns a value, the JSON Pointer (RFC
 * 6901).
 */
export function parseAgentFile(file: string, text: string, defaultModel?: DefaultModel): ParsedAgentFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true });
  const [syntaxError] = document.errors;
  if (syntaxError !== undefined)
    return {
      problems: [
        `${file}:${syntaxError.linePos?.[0].line ?? 1}: ${syntaxError.message.split('\n')[0] ?? 'The file is not valid YAML.'}`,
      ],
    };
  const inexactOffset = findInexactNumber(document);
  if (inexactOffset !== undefined)
    return { problems: [`${file}:${lines.linePos(inexactOffset).line}: ${INEXACT_NUMBER_MESSAGE}`] };
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    return {
      problems: [`${file}:1: The file cannot be parsed: ${error instanceof Error ? error.message : String(error)}`],
    };
  }
  const parsed = AgentFileSchema.safeParse(content ?? {});
  const findLine = (path: readonly PropertyKey[], key?: string): number =>
    lines.linePos(findOffset(document, path, key)).line;
  if (parsed.success) {
    const definition = toAgentDefinition(parsed.data, defaultModel);
    if (definition !== undefined) return { definition, findLine };
    return {
      problems: [
        `${file}:${findLine(['model'])}: /model: No language model is defined. Set "provider" and "name" here, or Agents:DefaultModel:Provider and Agents:DefaultModel:Name.`,
      ],
    };
  }
  return { problems: parsed.error.issues.flatMap((issue) => describeIssue(issue, file, findLine)) };
}

function describeIssue(
  issue: z.core.$ZodIssue,
  file: string,
  findLine: (path: readonly PropertyKey[], key?: string) => number,
): string[] {
  if (issue.code !== 'unrecognized_keys') {
    const isMissing =
      issue.code === 'invalid_type' && issue.input === undefined && issue.message.endsWith('received undefined');
    const location = issue.path.length === 0 ? '' : ` ${pathToPointer(issue.path)}:`;
    return [`${file}:${findLine(issue.path)}:${location} ${isMissing ? 'The value is missing.' : issue.message}`];
  }
  const knownKeys = getKnownKeys(issue.path);
  return issue.keys.map((key) => {
    const hint =
      formatSuggestion(key, knownKeys) || (knownKeys.length === 0 ? '' : ` Known keys: ${knownKeys.join(', ')}.`);
    return `${file}:${findLine(issue.path, key)}: ${pathToPointer([...issue.path, key])}: Unknown key "${key}".${hint}`;
  });
}

/** Returns the keys that a section may contain. */
function getKnownKeys(path: readonly PropertyKey[]): string[] {
  const [section] = path;
  const { shape } = AgentFileSchema;
  if (section === undefined) return Object.keys(shape);
  if (section === 'model') return Object.keys(shape.model.unwrap().shape);
  return section === 'budget' ? Object.keys(shape.budget.unwrap().shape) : [];
}

/** Returns the offset of a value or of one of its keys; if it is missing, that of its closest existing parent. */
function findOffset(document: Document, path: readonly PropertyKey[], key?: string): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (!isNode(node)) continue;
    const pair =
      key !== undefined && length === path.length && isMap(node)
        ? node.items.find((item) => isPair(item) && String(item.key) === key)
        : undefined;
    return (pair !== undefined && isNode(pair.key) ? pair.key.range?.[0] : node.range?.[0]) ?? 0;
  }
  return 0;
}
