import { sha256Hex } from '@countersign/model';

const MAX = 64;

/**
 * Converts a tool name to the alphabet of model providers (letters, digits, `_`, `-`; 64 characters): `human.ask`
 * becomes `human_ask`. Definitions with colliding names are refused, so the mapping is reversible.
 */
export function modelName(tool: string): string {
  const plain = tool.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return plain.length <= MAX ? plain : `${plain.slice(0, MAX - 9)}_${sha256Hex(tool).slice(0, 8)}`;
}

/** Returns the pairs of tools whose names collide for language models, each with the common name. */
export function collidingNames(tools: readonly string[]): readonly (readonly [string, string, string])[] {
  const first = new Map<string, string>();
  return tools.flatMap((tool): [string, string, string][] => {
    const name = modelName(tool);
    const there = first.get(name);
    if (there === undefined) first.set(name, tool);
    return there === undefined ? [] : [[there, tool, name]];
  });
}
