import { end, scope, start, type ScopeContent } from '../model-text.js';

/** Returns consecutive elements between a start and an end. */
export function chain(prefix: string, ...elements: readonly string[]): ScopeContent {
  const all = [
    `${prefix}start`,
    ...elements.map((element) => /\bid="([^"]+)"/.exec(element)?.[1] ?? ''),
    `${prefix}end`,
  ];
  return scope(
    [start(`${prefix}start`), ...elements, end(`${prefix}end`)],
    ...all.slice(1).map((id, index) => `${all[index] ?? ''} > ${id}`),
  );
}
