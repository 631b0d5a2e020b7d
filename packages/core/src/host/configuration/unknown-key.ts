import { suggestion } from '@countersign/model';
import type { HostProblem } from '../../errors/host-problem.js';
import { keyOf } from './layers.js';
import type { SectionNode } from './schema-node.js';

/** Returns the problem for an undeclared key, with a suggestion of a similar known key. */
export function unknownKey(section: SectionNode, path: readonly string[], origin: string): HostProblem {
  const keys = [...section.children.keys()];
  const hint = suggestion(path.at(-1) ?? '', keys) || listed(path.slice(0, -1), keys);
  return { code: 'unknown_configuration_key', message: `Unknown configuration key ${keyOf(path)} (${origin}).${hint}` };
}

function listed(parent: readonly string[], keys: readonly string[]): string {
  if (keys.length === 0) return '';
  return parent.length === 0 ? ` The sections are ${keys.join(', ')}.` : ` ${keyOf(parent)} has ${keys.join(', ')}.`;
}
