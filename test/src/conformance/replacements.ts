import { isJsonObject, isoTime, type Json } from '@countersign/model';
import type { OneToOneMap } from './one-to-one-map.js';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /^\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** The values of one history that replace those of another one. */
export interface Replacements {
  readonly ids: OneToOneMap<string>;
  /** In ms since the epoch. */
  readonly times: OneToOneMap<number>;
  /** Digests of subjects, which cover ids and times. */
  readonly digests: ReadonlyMap<string, string>;
}

/** Adds the ids at the same positions of two values. */
export function pairIds(expected: unknown, other: unknown, ids: OneToOneMap<string>): void {
  if (typeof expected === 'string' && typeof other === 'string') {
    const expectedIds = expected.match(UUID) ?? [];
    const otherIds = other.match(UUID) ?? [];
    if (expectedIds.length !== otherIds.length) return;
    for (const [index, id] of expectedIds.entries()) ids.add(otherIds[index] ?? '', id);
  } else if (Array.isArray(expected) && Array.isArray(other)) {
    for (const [index, item] of expected.entries()) pairIds(item, other[index], ids);
  } else if (isRecord(expected) && isRecord(other)) {
    for (const [name, value] of Object.entries(expected)) pairIds(value, other[name], ids);
  }
}

/**
 * Replaces the ids, times and digests of a value.
 *
 * @param counterpart the expected value. A time at the same position replaces a time that was not known before.
 */
export function replaceValues(value: Json, counterpart: Json | undefined, replacements: Replacements): Json {
  if (typeof value === 'string')
    return TIME.test(value)
      ? replaceTime(value, counterpart, replacements.times)
      : (replacements.digests.get(value) ?? replaceIds(value, replacements.ids));
  if (Array.isArray(value))
    return value.map((item, index) =>
      replaceValues(item, Array.isArray(counterpart) ? counterpart[index] : undefined, replacements),
    );
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      replaceIds(name, replacements.ids),
      replaceValues(member ?? null, isJsonObject(counterpart) ? counterpart[name] : undefined, replacements),
    ]),
  );
}

function replaceTime(value: string, counterpart: Json | undefined, times: OneToOneMap<number>): string {
  if (typeof counterpart === 'string' && TIME.test(counterpart)) {
    times.add(Date.parse(value), Date.parse(counterpart));
    return counterpart;
  }
  const time = times.get(Date.parse(value));
  return time === undefined ? value : isoTime(time);
}

function replaceIds(value: string, ids: OneToOneMap<string>): string {
  return value.replaceAll(UUID, (id) => ids.get(id) ?? id);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
