import { formatSuggestion } from '@countersign/model';
import type { HostProblem } from '../../errors/host-problem.js';
import { joinPath } from './configuration-layers.js';
import type { SectionNode } from './schema-node.js';

/** Returns the problem for an undeclared key, with a similar known key, or otherwise all known keys. */
export function createUnknownKeyProblem(section: SectionNode, path: readonly string[], origin: string): HostProblem {
  const keys = [...section.children.keys()];
  const hint = formatSuggestion(path.at(-1) ?? '', keys) || listKeys(path.slice(0, -1), keys);
  return {
    code: 'unknown_configuration_key',
    message: `Unknown configuration key ${joinPath(path)} (${origin}).${hint}`,
  };
}

function listKeys(parent: readonly string[], keys: readonly string[]): string {
  if (keys.length === 0) return '';
  return parent.length === 0 ? ` The sections are ${keys.join(', ')}.` : ` ${joinPath(parent)} has ${keys.join(', ')}.`;
}
