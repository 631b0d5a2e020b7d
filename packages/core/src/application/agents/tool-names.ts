import { sha256Hex } from '@countersign/model';

const MAX = 64;

/**
 * The name of a tool in the alphabet of model providers (letters, digits, `_`, `-`; 64 characters): `human.ask` is
 * `human_ask`. A definition that names two tools which become the same is refused, so there is one way back.
 */
export function modelName(tool: string): string {
  const plain = tool.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return plain.length <= MAX ? plain : `${plain.slice(0, MAX - 9)}_${sha256Hex(tool).slice(0, 8)}`;
}

/** Pairs of tools that models could not tell apart, each with the name that both would have. */
export function collidingNames(tools: readonly string[]): readonly (readonly [string, string, string])[] {
  const first = new Map<string, string>();
  return tools.flatMap((tool): [string, string, string][] => {
    const name = modelName(tool);
    const there = first.get(name);
    if (there === undefined) first.set(name, tool);
    return there === undefined ? [] : [[there, tool, name]];
  });
}
