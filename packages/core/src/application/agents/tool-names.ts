import { sha256Hex } from '@countersign/model';

const MAX_NAME_CHARACTERS = 64;

/**
 * Converts a tool name to the alphabet of model providers (letters, digits, `_`, `-`; 64 characters): `human.ask`
 * becomes `human_ask`. Definitions with colliding names are refused, so the mapping is reversible.
 */
export function toModelToolName(tool: string): string {
  const plain = tool.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return plain.length <= MAX_NAME_CHARACTERS
    ? plain
    : `${plain.slice(0, MAX_NAME_CHARACTERS - 9)}_${sha256Hex(tool).slice(0, 8)}`;
}

/** Returns the pairs of tools whose names collide for language models, each with the name that they share. */
export function findNameCollisions(tools: readonly string[]): readonly (readonly [string, string, string])[] {
  const toolByName = new Map<string, string>();
  return tools.flatMap((tool): [string, string, string][] => {
    const name = toModelToolName(tool);
    const existing = toolByName.get(name);
    if (existing === undefined) toolByName.set(name, tool);
    return existing === undefined ? [] : [[existing, tool, name]];
  });
}
