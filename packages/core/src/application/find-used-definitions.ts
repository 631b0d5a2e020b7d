import { isJsonObject, type JsonObject, type RunEvent } from '@countersign/model';
import type { Definition, DefinitionKind, DefinitionStore } from '../ports/definitions.js';

export type DefinitionView = { kind: DefinitionKind; name: string; digest: string; content: JsonObject };

/** Returns the stored definitions whose digests occur in the events of a run, sorted by kind and digest. */
export async function findUsedDefinitions(
  store: DefinitionStore,
  events: readonly Pick<RunEvent, 'data'>[],
): Promise<DefinitionView[]> {
  const definitionKeys = new Map<string, readonly [DefinitionKind, string]>();
  const addKey = (kind: DefinitionKind, digest: unknown): void => {
    if (typeof digest === 'string') definitionKeys.set(`${kind} ${digest}`, [kind, digest]);
  };
  for (const { data } of events) {
    const { definitionDigest, toolDigest, policyDecision } = data;
    addKey('agent', definitionDigest);
    addKey('tool', toolDigest);
    if (isJsonObject(policyDecision)) addKey('policy', policyDecision['policyDigest']);
  }
  const sortedKeys = [...definitionKeys].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
  const found = await Promise.all(sortedKeys.map(([kind, digest]) => store.findDefinition(kind, digest)));
  return found.flatMap((definition) => (definition === undefined ? [] : [toDefinitionView(definition)]));
}

function toDefinitionView({ kind, name, digest, content }: Definition): DefinitionView {
  return { kind, name, digest, content };
}
