import type { ByScope } from './side.js';

const SCOPE_TYPES: ReadonlySet<string> = new Set(['process', 'subProcess', 'transaction', 'adHocSubProcess']);

/**
 * Maps the id of each element in BPMN files to the id of its scope. The files must be well-formed, without `>` in
 * attribute values.
 */
export function mapElementsToScopes(...files: readonly string[]): ReadonlyMap<string, string> {
  return new Map(files.flatMap((bpmnXml) => [...mapFileToScopes(bpmnXml)]));
}

function mapFileToScopes(bpmnXml: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const enclosingScopes: string[] = [];
  for (const [, closing, name = '', attributes = ''] of bpmnXml.matchAll(/<(\/?)(?:[\w-]+:)?([A-Za-z]+)\b([^>]*)>/g)) {
    const id = /\bid="([^"]+)"/.exec(attributes)?.[1];
    const scope = enclosingScopes.at(-1);
    if (closing === '/') {
      if (SCOPE_TYPES.has(name)) enclosingScopes.pop();
      continue;
    }
    if (id !== undefined && scope !== undefined) found.set(id, scope);
    if (id !== undefined && SCOPE_TYPES.has(name) && !attributes.endsWith('/')) enclosingScopes.push(id);
  }
  return found;
}

/** Groups completed elements by scope, and marks the body of a loop with `[]`. */
export function groupByScope(
  completed: readonly { readonly elementId: string; readonly isBody: boolean }[],
  scopes: ReadonlyMap<string, string>,
): ByScope {
  const found: Record<string, string[]> = {};
  for (const { elementId, isBody } of completed) {
    const scope = scopes.get(elementId) ?? '?';
    (found[scope] ??= []).push(isBody ? `${elementId}[]` : elementId);
  }
  return found;
}
