export type ObjectValue = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is ObjectValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
