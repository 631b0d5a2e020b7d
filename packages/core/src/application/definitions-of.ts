import { isJsonObject, type JsonObject, type RunEvent } from '@countersign/model';
import type { Definition, DefinitionKind, DefinitionStore } from '../ports/definitions.js';

export type DefinitionView = { kind: DefinitionKind; name: string; digest: string; content: JsonObject };

/** Returns the stored definitions whose digests occur in the events of a run, sorted by kind and digest. */
export async function definitionsOf(
  store: DefinitionStore,
  events: readonly Pick<RunEvent, 'data'>[],
): Promise<DefinitionView[]> {
  const named = new Map<string, readonly [DefinitionKind, string]>();
  const name = (kind: DefinitionKind, digest: unknown): void => {
    if (typeof digest === 'string') named.set(`${kind} ${digest}`, [kind, digest]);
  };
  for (const { data } of events) {
    const { definitionDigest, toolDigest, policyDecision } = data;
    name('agent', definitionDigest);
    name('tool', toolDigest);
    if (isJsonObject(policyDecision)) name('policy', policyDecision['policyDigest']);
  }
  const inOrder = [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
  const found = await Promise.all(inOrder.map(([kind, digest]) => store.findDefinition(kind, digest)));
  return found.flatMap((definition) => (definition === undefined ? [] : [viewOf(definition)]));
}

function viewOf({ kind, name, digest, content }: Definition): DefinitionView {
  return { kind, name, digest, content };
}
