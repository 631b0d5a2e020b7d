import type { z } from 'zod';
import type { SchemaNode } from './schema-node.js';

export type SettingType = 'string' | 'boolean' | 'integer' | 'number' | 'duration' | 'list' | 'object';

/** Returns the display type of a key's value, for users and forms. */
export function toSettingType(node: SchemaNode): SettingType {
  if (node.kind === 'list') return 'list';
  if (node.kind !== 'value') return 'object';
  if (node.mark !== undefined) return node.mark === 'duration' ? 'duration' : 'string';
  const { def } = (node.schema as z.core.$ZodTypes)._zod;
  if (def.type === 'boolean') return 'boolean';
  if (def.type !== 'number') return 'string';
  return 'format' in def && typeof def.format === 'string' && def.format.includes('int') ? 'integer' : 'number';
}
