import type { ByScope } from './side.js';

const SCOPES: ReadonlySet<string> = new Set(['process', 'subProcess', 'transaction', 'adHocSubProcess']);

/**
 * Returns the scope of each element in some files, by ids. The files must be well-formed, without `>` in attributes.
 */
export function mapElementsToScopes(...files: readonly string[]): ReadonlyMap<string, string> {
  return new Map(files.flatMap((bpmnXml) => [...mapFileToScopes(bpmnXml)]));
}

function mapFileToScopes(bpmnXml: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const around: string[] = [];
  for (const [, closing, name = '', attributes = ''] of bpmnXml.matchAll(/<(\/?)(?:[\w-]+:)?([A-Za-z]+)\b([^>]*)>/g)) {
    const id = /\bid="([^"]+)"/.exec(attributes)?.[1];
    const scope = around.at(-1);
    if (closing === '/') {
      if (SCOPES.has(name)) around.pop();
      continue;
    }
    if (id !== undefined && scope !== undefined) found.set(id, scope);
    if (id !== undefined && SCOPES.has(name) && !attributes.endsWith('/')) around.push(id);
  }
  return found;
}

/** Sorts completed elements by scope. */
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
